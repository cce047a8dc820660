import COgg

/// Writes Opus packets as they come into an Ogg file (RFC 7845), with a page about each second.
///
/// A killed process so leaves a file that is whole but for its last second. Gaps are filled with packets that ask for
/// concealment, as RFC 7845 section 4.1 wants, so that the file lasts as long as the call did.
public final class OggOpusWriter {
    private let file: FileDescriptor
    private var stream = ogg_stream_state()
    private var page = ogg_page()
    /// The packet that came last; it waits, since the last one of a file must be marked.
    private var waiting: (bytes: [UInt8], duration: Int)?
    private var granule: Int64 = 0
    private var samplesOnPage = 0
    private var packetNumber: Int64 = 0
    private var unfilled = 0
    private var lastTableOfContents: UInt8 = OggOpusWriter.silentSpeech
    private var isClosed = false

    /// Makes a file, or empties the one that is there, and writes its two header pages.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - preSkipInSamples: What players throw away at the start: the encoder's delay, 312 for libopus at 48 kHz.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public convenience init(path: String, preSkipInSamples: Int = 312) throws(MediaError) {
        try self.init(FileDescriptor(creating: path), preSkipInSamples: preSkipInSamples)
    }

    init(_ file: consuming FileDescriptor, preSkipInSamples: Int) throws(MediaError) {
        self.file = file
        // One file holds one stream, so that any serial number is unique in it (RFC 3533 section 6).
        ogg_stream_init(&stream, 0x4855_4221)
        let header = OpusHeader(channels: 1, preSkipInSamples: preSkipInSamples)
        try put(header.packet, granule: 0, isFirst: true)
        try flush()
        try put(OpusHeader.emptyTags, granule: 0)
        try flush()
    }

    deinit {
        try? close()
        ogg_stream_clear(&stream)
    }

    /// The sound in the file so far, pre-skip included, in samples at 48 kHz.
    public var durationInSamples: Int64 { granule + Int64(waiting?.duration ?? 0) }

    /// Appends one packet.
    ///
    /// - Parameter packet: A whole Opus packet; what is not one is passed over.
    /// - Returns: The samples by which the file has grown; 0 for what is not Opus.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    @discardableResult
    public func append(_ packet: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        guard let duration = OpusPacket.durationInSamples(of: packet), let first = packet.first else { return 0 }
        try push(Array(packet), duration)
        lastTableOfContents = first
        return duration
    }

    /// Fills a gap before the next packet: sound that was not sent, or sent and lost.
    ///
    /// - Parameter samples: The length at 48 kHz. Less than 2.5 ms is kept and added to the next gap.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func appendGap(ofSamples samples: Int) throws(MediaError) {
        guard samples > 0 else { return }
        let gap = OpusGap(ofSamples: samples + unfilled, after: lastTableOfContents)
        unfilled = gap.remainder
        for (bytes, duration) in gap.packets { try push(bytes, duration) }
    }

    /// Marks the end and writes what waits; later calls do nothing.
    ///
    /// - Parameter trimmedSamples: Samples at the end that players shall leave out, such as the padding of a last frame.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func close(trimmingSamples trimmedSamples: Int = 0) throws(MediaError) {
        guard !isClosed else { return }
        isClosed = true
        guard let (bytes, duration) = waiting else { return }
        waiting = nil
        let kept = max(0, duration - max(0, trimmedSamples))
        granule += Int64(kept)
        try put(bytes, granule: granule, isLast: true)
        try flush()
    }

    private func push(_ bytes: [UInt8], _ duration: Int) throws(MediaError) {
        guard !isClosed else { throw MediaError(.invalidArgument, "\(file.name) is closed; nothing more fits") }
        if let (bytes, duration) = waiting {
            granule += Int64(duration)
            samplesOnPage += duration
            try put(bytes, granule: granule)
            if samplesOnPage >= AudioFormat.samplesPerSecond {
                try flush()
                samplesOnPage = 0
            }
        }
        waiting = (bytes, duration)
    }

    private func put(
        _ bytes: [UInt8],
        granule: Int64,
        isFirst: Bool = false,
        isLast: Bool = false
    ) throws(MediaError) {
        var bytes = bytes
        let result = bytes.withUnsafeMutableBufferPointer { buffer in
            // libogg copies the bytes before it returns.
            var packet = ogg_packet(
                packet: buffer.baseAddress,
                bytes: buffer.count,
                b_o_s: isFirst ? 1 : 0,
                e_o_s: isLast ? 1 : 0,
                granulepos: granule,
                packetno: packetNumber
            )
            return ogg_stream_packetin(&stream, &packet)
        }
        packetNumber += 1
        guard result == 0 else { throw MediaError(.inputOutput, "\(file.name): there is no memory left to write it") }
        while ogg_stream_pageout(&stream, &page) != 0 { try writePage() }
    }

    private func flush() throws(MediaError) {
        while ogg_stream_flush(&stream, &page) != 0 { try writePage() }
    }

    private func writePage() throws(MediaError) {
        try file.writeAll(UnsafeRawBufferPointer(start: page.header, count: page.header_len))
        try file.writeAll(UnsafeRawBufferPointer(start: page.body, count: page.body_len))
    }

    /// Wide-band speech of 20 ms: what a gap before the first packet is made of.
    private static let silentSpeech: UInt8 = 9 << 3
}
