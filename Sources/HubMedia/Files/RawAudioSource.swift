import Glibc

/// Plays raw sound, 48 kHz, 16 bits, mono, little-endian, from a descriptor such as standard input.
///
/// It never waits: what has not come yet is given as silence (an underrun, counted), and the sound that comes late is
/// played after it. No more than 64 kB are taken in advance; a faster writer is held back by its pipe.
public final class RawAudioSource: SoundSource {
    /// Pieces of silence given since the source had nothing yet; those before the first sound are not counted.
    public private(set) var underruns = 0

    private let file: FileDescriptor
    private var bytes: [UInt8] = []
    private var isAtEnd = false
    private var hasBegun = false

    /// Uses a descriptor that stays the caller's to close.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor: pipe, terminal, socket or file.
    ///   - name: What to call it in messages.
    public init(descriptor: Int32, name: String) {
        file = FileDescriptor(borrowing: descriptor, name: name)
        bytes.reserveCapacity(Self.mostBytes + Self.bytesPerFrame)
    }

    /// Gives the next 960 samples, or silence if they are not there yet; returns at once.
    ///
    /// - Returns: The samples; `nil` once the writer has closed its end and everything has been given.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func nextFrame() throws(MediaError) -> AudioFrame? {
        try fill()
        guard bytes.count >= Self.bytesPerFrame || isAtEnd else {
            if hasBegun { underruns += 1 }
            return .samples([Int16](repeating: 0, count: AudioFormat.samplesPerFrame))
        }
        // An odd byte at the very end is no sample.
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
            let result = withUnsafeTemporaryAllocation(byteCount: Self.mostBytes, alignment: 1) { room in
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
    /// More lets a slow writer run further ahead in bursts, and takes memory.
    private static let mostBytes = 65_536
}
