/// When a device heard whom: for each voice the times, and the whole as spans.
struct HeardVoices: Sendable {
    /// A time in which a voice was heard.
    struct Stretch: Hashable, Sendable {
        var begin: Duration
        var end: Duration
    }

    /// By the voices' numbers; in order, apart from one another.
    private(set) var stretches: [[Stretch]]
    /// Frames of a voice that are no further apart belong together.
    private let joints: [Duration]

    /// Nothing was heard.
    ///
    /// - Parameter joints: How far apart the frames of a stretch may be, of each voice.
    init(joints: [Duration]) {
        stretches = joints.map { _ in [] }
        self.joints = joints
    }

    /// A frame of 20 ms was heard.
    mutating func add(_ heard: Ear.Heard) {
        let end = heard.from + .milliseconds(20)
        for number in heard.voices.numbers where number < stretches.count {
            if let last = stretches[number].last, last.end + joints[number] >= heard.from {
                stretches[number][stretches[number].count - 1].begin = min(last.begin, heard.from)
                stretches[number][stretches[number].count - 1].end = max(last.end, end)
            } else {
                stretches[number].append(Stretch(begin: heard.from, end: end))
            }
        }
    }

    /// Whether a voice was heard at some time of a span.
    func isHeard(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        for stretch in stretches[number].reversed() {
            if stretch.begin < end, stretch.end > begin { return true }
            if stretch.end <= begin { return false }
        }
        return false
    }

    /// Whether a voice was heard all the time of a span.
    func isHeardThroughout(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        stretches[number].reversed().contains { $0.begin <= begin && $0.end >= end }
    }

    /// The whole, as spans without overlap, each with the voices that were in it.
    func spans(_ book: VoiceBook) -> [HeardSpan] {
        let moments = Set(stretches.joined().flatMap { [$0.begin, $0.end] }).sorted()
        var spans: [HeardSpan] = []
        for (begin, end) in zip(moments, moments.dropFirst()) {
            let numbers = stretches.indices.filter { isHeard($0, from: begin, to: end) }
            guard !numbers.isEmpty else { continue }
            let voices = numbers.map { book.voices[$0] }
            if let last = spans.last, last.end == begin, last.voices == voices {
                spans[spans.count - 1].end = end
            } else {
                spans.append(HeardSpan(begin: begin, end: end, voices: voices))
            }
        }
        return spans
    }
}
