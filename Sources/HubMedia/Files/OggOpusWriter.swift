import COgg

/// A writer of Opus packets into an Ogg file (RFC 7845), with one page for about each second.
///
/// If the process is killed, the file lacks no more than its last second. Gaps are filled with packets that request
/// concealment (RFC 7845 section 4.1), so that the file lasts as long as the call did.
public final class OggOpusWriter {
    private let file: FileDescriptor
    private var stream = ogg_stream_state()
    private var page = ogg_page()
    /// The last packet, not written yet since the last one of a file must be marked.
    private var waiting: (bytes: [UInt8], duration: Int)?
    private var granule: Int64 = 0
    private var samplesOnPage = 0
    private var packetNumber: Int64 = 0
    private var unfilledGapSamples = 0
    private var lastTableOfContents: UInt8 = OggOpusWriter.silentSpeech
    private var isClosed = false

    /// Creates a file, or truncates an existing one, and writes its two header pages.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - preSkipInSamples: The encoder's delay, which players skip: samples at 48 kHz, 312 for libopus.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public convenience init(path: String, preSkipInSamples: Int = 312) throws(MediaError) {
        try self.init(FileDescriptor(creating: path), preSkipInSamples: preSkipInSamples)
    }

    init(_ file: consuming FileDescriptor, preSkipInSamples: Int) throws(MediaError) {
        self.file = file
        // One file holds one stream, so any serial number is unique in it (RFC 3533 section 6).
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

    /// The duration of the file so far, pre-skip included, in samples at 48 kHz.
    public var durationInSamples: Int64 { granule + Int64(waiting?.duration ?? 0) }

    /// Appends one packet.
    ///
    /// - Parameter packet: A whole Opus packet; other data is skipped.
    /// - Returns: The samples at 48 kHz by which the file has grown; 0 for data that is not Opus.
    /// - Throws: ``MediaError`` with code `inputOutput`, or `invalidArgument` after ``close(trimmingSamples:)``.
    @discardableResult
    public func append(_ packet: UnsafeRawBufferPointer) throws(MediaError) -> Int {
        guard let duration = OpusPacket.durationInSamples(of: packet), let first = packet.first else { return 0 }
        try push(Array(packet), duration)
        lastTableOfContents = first
        return duration
    }

    /// Fills a gap before the next packet: audio that was not sent, or sent and lost.
    ///
    /// - Parameter samples: The length of the gap at 48 kHz; a rest below 2.5 ms is added to the next gap.
    /// - Throws: ``MediaError`` with code `inputOutput`, or `invalidArgument` after ``close(trimmingSamples:)``.
    public func appendGap(ofSamples samples: Int) throws(MediaError) {
        guard samples > 0 else { return }
        let gap = OpusGap(ofSamples: samples + unfilledGapSamples, after: lastTableOfContents)
        unfilledGapSamples = gap.remainder
        for (bytes, duration) in gap.packets { try push(bytes, duration) }
    }

    /// Marks the end and writes the last packet; later calls do nothing.
    ///
    /// - Parameter trimmedSamples: The samples at the end that players leave out, such as the padding of a last frame.
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

    /// The table of contents of wide-band speech of 20 ms: the configuration of a gap before the first packet.
    private static let silentSpeech: UInt8 = 9 << 3
}
