import Glibc

/// A source that plays raw audio, 48 kHz, 16 bits, mono, little-endian, from a descriptor such as standard input.
///
/// It never blocks: missing audio is replaced by silence (an underrun, counted), and late audio is played after it. No
/// more than 64 kB are read in advance; a faster writer is held back by its pipe.
public final class RawAudioSource: AudioFrameSource {
    /// The number of silent frames returned for lack of data; those before the first data are not counted.
    public private(set) var underruns = 0

    private let file: FileDescriptor
    private var bytes: [UInt8] = []
    private var isAtEnd = false
    private var hasBegun = false

    /// Uses a descriptor that the caller closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor: pipe, terminal, socket or file.
    ///   - name: The name for messages.
    public init(descriptor: Int32, name: String) {
        file = FileDescriptor(borrowing: descriptor, name: name)
        bytes.reserveCapacity(Self.maximumBytes + Self.bytesPerFrame)
    }

    /// Opens a named pipe, whose writers may come and go, or a file of raw audio.
    ///
    /// - Parameter path: The path of the pipe.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the pipe.
    public init(pipe path: String) throws(MediaError) {
        file = try FileDescriptor(readingPipe: path)
        bytes.reserveCapacity(Self.maximumBytes + Self.bytesPerFrame)
    }

    /// Discards the audio that has already been written: it is old.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func discardWritten() throws(MediaError) {
        // A pipe holds as much; a writer without pauses must not be read forever.
        for _ in 0..<2 {
            bytes.removeAll(keepingCapacity: true)
            try fill()
        }
        bytes.removeAll(keepingCapacity: true)
    }

    /// Returns the next 960 samples, or silence if they have not arrived yet, without blocking.
    ///
    /// - Returns: The samples; `nil` once the writer has closed its end and all data has been returned.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func nextFrame() throws(MediaError) -> AudioFrame? {
        try fill()
        guard bytes.count >= Self.bytesPerFrame || isAtEnd else {
            if hasBegun { underruns += 1 }
            return .samples([Int16](repeating: 0, count: AudioFormat.samplesPerFrame))
        }
        // A single byte at the end is not a sample.
        guard bytes.count >= 2 else { return nil }
        hasBegun = true
        let taken = min(bytes.count, Self.bytesPerFrame)
        var samples = bytes.withUnsafeBytes { bytes in
            (0..<(taken / 2)).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
            }
        }
        bytes.removeFirst(taken)
        samples.append(contentsOf: repeatElement(0, count: AudioFormat.samplesPerFrame - samples.count))
        return .samples(samples)
    }

    private func fill() throws(MediaError) {
        while !isAtEnd, bytes.count < Self.bytesPerFrame, file.isReady(for: POLLIN) {
            let result = withUnsafeTemporaryAllocation(byteCount: Self.maximumBytes, alignment: 1) { room in
                Result { () throws(MediaError) in
                    let count = try file.read(into: room)
                    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: room.prefix(count)))
                    return count
                }
            }
            if try result.get() == 0 { isAtEnd = true }
        }
    }

    private static let bytesPerFrame = AudioFormat.samplesPerFrame * 2
    /// More: a writer can run further ahead in bursts; more memory.
    private static let maximumBytes = 65_536
}
