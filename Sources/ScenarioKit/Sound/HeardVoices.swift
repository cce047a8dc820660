/// The times at which a device received each voice.
struct HeardVoices: Sendable {
    /// A time in which a voice was received.
    struct Stretch: Hashable, Sendable {
        var begin: Duration
        var end: Duration
    }

    /// The times by the voices' numbers; in order, without overlap.
    private(set) var stretches: [[Stretch]]
    /// The maximum gap between frames of one stretch, by the voices' numbers.
    private let joints: [Duration]

    /// Creates an empty record.
    ///
    /// - Parameter joints: The maximum gap between frames of one stretch, by the voices' numbers.
    init(joints: [Duration]) {
        stretches = joints.map { _ in [] }
        self.joints = joints
    }

    /// Adds a received frame of 20 ms.
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

    /// Indicates that a voice was received at any time of a span.
    func isHeard(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        for stretch in stretches[number].reversed() {
            if stretch.begin < end, stretch.end > begin { return true }
            if stretch.end <= begin { return false }
        }
        return false
    }

    /// Indicates that a voice was received throughout a span.
    func isHeardThroughout(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        stretches[number].reversed().contains { $0.begin <= begin && $0.end >= end }
    }

    /// Returns the whole as spans without overlap, each with its voices.
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
