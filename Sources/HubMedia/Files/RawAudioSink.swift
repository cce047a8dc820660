import Glibc

/// A sink that writes raw audio, 48 kHz, 16 bits, mono, little-endian, to a descriptor such as standard output.
///
/// Appending never blocks: up to a second of audio is buffered for the reader; beyond that the oldest samples are
/// dropped and counted. To survive a closed pipe, a program must ignore `SIGPIPE`.
public final class RawAudioSink: AudioFrameSink {
    /// The number of samples dropped because the reader was too slow.
    public private(set) var droppedSamples = 0

    private let file: FileDescriptor
    private var pending: [Int16] = []
    /// The bytes of the first pending sample that have been written: 0 or 1.
    private var sentBytes = 0
    private var packets = PacketDecoder()

    /// Uses a descriptor that the caller closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor: pipe, terminal, socket or file.
    ///   - name: The name for messages.
    public init(descriptor: Int32, name: String) {
        file = FileDescriptor(borrowing: descriptor, name: name)
    }

    /// Always false: packets are decoded.
    public var storesPackets: Bool { false }

    /// Appends samples without blocking.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`, such as for a pipe that its reader has closed.
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        pending.append(contentsOf: samples)
        while !pending.isEmpty, file.isReady(for: POLLOUT) {
            // A pipe that is ready takes PIPE_BUF (4096) bytes without waiting.
            try write(upToBytes: 4_096)
        }
        let surplus = pending.count - Self.maximumQueuedSamples
        guard surplus > 0 else { return }
        // The first sample is kept if one of its bytes has been written.
        let first = sentBytes
        pending.removeSubrange(first..<(first + surplus))
        droppedSamples += surplus
    }

    /// Decodes and appends a packet, concealing the gap before it.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: The number of samples at 48 kHz that are missing before the packet.
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        try append(try packets.decode(packet, afterGapOfSamples: gap))
    }

    /// Writes the pending samples, waiting up to a second each time for the reader to accept more.
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

    /// More: slower readers lose nothing; the audio that they read is older.
    private static let maximumQueuedSamples = AudioFormat.samplesPerSecond
}
