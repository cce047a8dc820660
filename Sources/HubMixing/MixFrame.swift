import HubMedia

/// The sources of one frame of a mixer, and their sum, from which a mix of nearly all of them is made.
struct MixFrame {
    /// The number of the frame, which gives the timestamp.
    var number: Int64 = 0
    /// The sources that are part of mixes in the frame.
    private(set) var streams: [SourceStream] = []
    private var total = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)

    /// Begins a frame.
    mutating func begin(_ number: Int64, of all: [SourceStream]) {
        self.number = number
        streams.removeAll(keepingCapacity: true)
        for stream in all where stream.isContributing { streams.append(stream) }
        Self.clear(&total)
        for stream in streams { Self.change(&total, by: stream, sign: 1) }
    }

    /// Sums some of the sources, in the way that is shorter.
    func add(_ some: [SourceStream], to sums: inout [Int32]) {
        guard some.count > streams.count / 2 else {
            Self.clear(&sums)
            for stream in some { Self.change(&sums, by: stream, sign: 1) }
            return
        }
        sums.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: total) }
        for stream in streams where !some.contains(where: { $0 === stream }) {
            Self.change(&sums, by: stream, sign: -1)
        }
    }

    private static func clear(_ sums: inout [Int32]) {
        sums.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    }

    private static func change(_ sums: inout [Int32], by stream: SourceStream, sign: Int32) {
        sums.withUnsafeMutableBufferPointer { sums in
            stream.frame.withUnsafeBufferPointer { frame in
                for index in 0..<min(sums.count, frame.count) { sums[index] &+= sign &* Int32(frame[index]) }
            }
        }
    }
}
