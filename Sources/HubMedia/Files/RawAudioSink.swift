import Glibc

/// Writes raw sound, 48 kHz, 16 bits, mono, little-endian, to a descriptor such as standard output.
///
/// Appending never waits: what the reader does not take at once is kept for up to a second of sound; beyond that the
/// oldest is dropped and counted. A program that does not want to die of a closed pipe ignores `SIGPIPE`.
public final class RawAudioSink: SoundSink {
    /// Samples dropped since the reader was too slow.
    public private(set) var droppedSamples = 0

    private let file: FileDescriptor
    private var pending: [Int16] = []
    /// Bytes of the first pending sample that have gone out: 0 or 1.
    private var sentBytes = 0
    private var packets = PacketDecoding()

    /// Uses a descriptor that stays the caller's to close.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor: pipe, terminal, socket or file.
    ///   - name: What to call it in messages.
    public init(descriptor: Int32, name: String) {
        file = FileDescriptor(borrowing: descriptor, name: name)
    }

    /// Packets are decoded.
    public var storesPackets: Bool { false }

    /// Appends sound; returns at once.
    ///
    /// - Parameter samples: Any number of samples.
    /// - Throws: ``MediaError`` with code `inputOutput`, such as for a pipe whose reader has gone.
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        pending.append(contentsOf: samples)
        while !pending.isEmpty, file.isReady(for: POLLOUT) {
            // A pipe that is ready takes PIPE_BUF (4096) bytes without waiting.
            try write(upToBytes: 4_096)
        }
        let surplus = pending.count - Self.mostSamples
        guard surplus > 0 else { return }
        // The first sample stays if half of it is already out.
        let first = sentBytes
        pending.removeSubrange(first..<(first + surplus))
        droppedSamples += surplus
    }

    /// Decodes and appends a packet, concealing the gap before it.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: Samples missing before it.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        try append(try packets.decode(packet, afterGapOfSamples: gap))
    }

    /// Writes what is still pending, waiting up to a second for the reader to take more.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func close() throws(MediaError) {
        while !pending.isEmpty, file.isReady(for: POLLOUT, withinMilliseconds: 1_000) {
            try write(upToBytes: 4_096)
        }
        droppedSamples += pending.count
        pending.removeAll()
    }

    private func write(upToBytes most: Int) throws(MediaError) {
        let result = pending.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in
                try file.writeSome(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(sentBytes).prefix(most)))
            }
        }
        let sent = sentBytes + (try result.get())
        pending.removeFirst(sent / 2)
        sentBytes = sent % 2
    }

    /// More survives a slower reader and makes what it reads older.
    private static let mostSamples = AudioFormat.samplesPerSecond
}
