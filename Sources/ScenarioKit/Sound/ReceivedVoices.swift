/// The times at which a device received each voice.
struct ReceivedVoices: Sendable {
    /// A time in which a voice was received.
    struct Interval: Hashable, Sendable {
        var begin: Duration
        var end: Duration
    }

    /// The times by the voices' numbers; in order, without overlap.
    private(set) var intervals: [[Interval]]
    /// The maximum gap between frames of one interval, by the voices' numbers.
    private let maximumGaps: [Duration]

    /// Creates an empty record.
    ///
    /// - Parameter maximumGaps: The maximum gap between frames of one interval, by the voices' numbers.
    init(maximumGaps: [Duration]) {
        intervals = maximumGaps.map { _ in [] }
        self.maximumGaps = maximumGaps
    }

    /// Adds a received frame of 20 ms.
    mutating func add(_ detection: ToneDetector.Detection) {
        let end = detection.from + .milliseconds(20)
        for number in detection.voices.numbers where number < intervals.count {
            if let last = intervals[number].last, last.end + maximumGaps[number] >= detection.from {
                intervals[number][intervals[number].count - 1].begin = min(last.begin, detection.from)
                intervals[number][intervals[number].count - 1].end = max(last.end, end)
            } else {
                intervals[number].append(Interval(begin: detection.from, end: end))
            }
        }
    }

    /// Indicates that a voice was received at any time of a span.
    func isReceived(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        for interval in intervals[number].reversed() {
            if interval.begin < end, interval.end > begin { return true }
            if interval.end <= begin { return false }
        }
        return false
    }

    /// Indicates that a voice was received throughout a span.
    func isReceivedThroughout(_ number: Int, from begin: Duration, to end: Duration) -> Bool {
        intervals[number].reversed().contains { $0.begin <= begin && $0.end >= end }
    }

    /// Returns the whole as spans without overlap, each with its voices.
    func spans(_ table: VoiceTable) -> [ReceivedVoicesSpan] {
        let moments = Set(intervals.joined().flatMap { [$0.begin, $0.end] }).sorted()
        var spans: [ReceivedVoicesSpan] = []
        for (begin, end) in zip(moments, moments.dropFirst()) {
            let numbers = intervals.indices.filter { isReceived($0, from: begin, to: end) }
            guard !numbers.isEmpty else { continue }
            let voices = numbers.map { table.voices[$0] }
            if let last = spans.last, last.end == begin, last.voices == voices {
                spans[spans.count - 1].end = end
            } else {
                spans.append(ReceivedVoicesSpan(begin: begin, end: end, voices: voices))
            }
        }
        return spans
    }
}
