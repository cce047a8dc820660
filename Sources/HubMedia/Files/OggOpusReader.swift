/// An Opus packet of a file, with the range of its samples that is to be played.
public struct OggOpusPacket: Sendable, Equatable {
    /// The packet, unchanged.
    public let bytes: [UInt8]

    /// The duration of the decoded packet, in samples at 48 kHz.
    public let durationInSamples: Int

    /// The decoded samples to keep: pre-skip and end trimming are left out (RFC 7845 section 4).
    public let audible: Range<Int>

    /// True if the packet is the first of a stream: it needs a new decoder, made for the new header.
    public let beginsStream: Bool
}

/// A reader of the Opus packets of an Ogg file (RFC 7845), streams in a chain one after the other.
///
/// Streams beside the first Opus one are skipped, as are damaged pages and packets that are not Opus. A truncated file
/// ends where its data ends.
public struct OggOpusReader: ~Copyable {
    /// The header of the last packet's stream (before the first packet: of the first stream).
    public private(set) var header: OpusHeader

    /// The number of packets that were not valid Opus and were skipped, and of places with missing pages.
    public private(set) var damagedPackets = 0

    private enum Progress: Equatable {
        case tags
        case audio
        case ended
    }

    private let pages: OggPageReader
    private var serial: Int32
    private var progress = Progress.tags
    /// The position of the next packet in samples; `nil` before the first page with audio.
    private var position: Int64?
    private var preSkipLeft: Int
    private var isNextFirst = true
    private var ready: [(packet: OggOpusPacket, header: OpusHeader)] = []
    private var readyStart = 0
    private var streamHeader: OpusHeader

    /// Opens a file and reads up to the header of its first Opus stream.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
    public init(path: String) throws(MediaError) {
        try self.init(FileDescriptor(reading: path))
    }

    init(_ file: consuming FileDescriptor) throws(MediaError) {
        let pages = OggPageReader(file)
        let (header, serial) = try Self.findOpus(in: pages)
        self.pages = pages
        self.header = header
        self.serial = serial
        streamHeader = header
        preSkipLeft = header.preSkipInSamples
    }

    /// Reads the next packet.
    ///
    /// - Returns: The packet; `nil` at the end of the file.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
    public mutating func next() throws(MediaError) -> OggOpusPacket? {
        while readyStart == ready.count {
            ready.removeAll(keepingCapacity: true)
            readyStart = 0
            guard let page = try pages.next() else { return nil }
            try take(page)
        }
        defer { readyStart += 1 }
        header = ready[readyStart].header
        return ready[readyStart].packet
    }

    private mutating func take(_ page: OggPageReader.Page) throws(MediaError) {
        if page.beginsStream {
            // Another stream cannot begin beside a running one; so this is the next of a chain (RFC 3533 section 4).
            let isNextInChain = progress == .ended || (progress == .audio && position != nil)
            guard isNextInChain, page.start.hasASCII("OpusHead") else { return }
            pages.selectStream(serial: page.serial)
            streamHeader = try Self.header(pages)
            begin(page.serial)
            return
        }
        guard page.serial == serial, progress != .ended else { return }
        var packets: [(bytes: [UInt8], duration: Int)] = []
        for content in pages.contents() {
            guard case .packet(let bytes) = content else {
                damagedPackets += 1
                continue
            }
            if progress == .tags {
                guard bytes.hasASCII("OpusTags") else {
                    throw MediaError(.damaged, "\(pages.name): the second packet is not OpusTags; RFC 7845 requires it")
                }
                progress = .audio
            } else if let duration = OpusPacket.durationInSamples(of: bytes.span) {
                packets.append((bytes, duration))
            } else {
                damagedPackets += 1
            }
        }
        queue(packets, granule: page.granule, isLast: page.endsStream)
        if page.endsStream { progress = .ended }
    }

    /// Determines the audible samples of a page's packets, and queues the packets.
    private mutating func queue(_ packets: [(bytes: [UInt8], duration: Int)], granule: Int64?, isLast: Bool) {
        guard !packets.isEmpty else { return }
        let total = packets.reduce(0) { $0 + $1.duration }
        let start = position ?? max(0, (granule ?? 0).subtractingReportingOverflow(Int64(total)).partialValue)
        let end = start &+ Int64(total)
        // Only the last page may have a position before the end of its packets: the rest is trimmed (section 4.4).
        var surplus = 0
        if isLast, let granule, granule < end { surplus = Int(clamping: end &- max(granule, start)) }
        position = max(0, granule ?? end)

        var before = total
        for packet in packets {
            before -= packet.duration
            let skipped = min(preSkipLeft, packet.duration)
            preSkipLeft -= skipped
            let trimmed = min(packet.duration - skipped, max(0, surplus - before))
            let audible = skipped..<(packet.duration - trimmed)
            let made = OggOpusPacket(
                bytes: packet.bytes,
                durationInSamples: packet.duration,
                audible: audible,
                beginsStream: isNextFirst
            )
            ready.append((made, streamHeader))
            isNextFirst = false
        }
    }

    private mutating func begin(_ serial: Int32) {
        self.serial = serial
        progress = .tags
        position = nil
        preSkipLeft = streamHeader.preSkipInSamples
        isNextFirst = true
    }

    private static func findOpus(in pages: OggPageReader) throws(MediaError) -> (OpusHeader, Int32) {
        var other: String?
        while let page = try pages.next() {
            guard page.beginsStream else { break }
            if page.start.hasASCII("OpusHead") {
                pages.selectStream(serial: page.serial)
                return (try header(pages), page.serial)
            }
            other = codecName(page.start)
        }
        if let other {
            throw MediaError(.unsupportedFormat, "\(pages.name) holds \(other); an Ogg file must hold Opus here")
        }
        throw MediaError(.damaged, "\(pages.name) is not an Ogg file; it must begin with a page of an Opus stream")
    }

    private static func header(_ pages: OggPageReader) throws(MediaError) -> OpusHeader {
        guard case .packet(let packet) = pages.contents().first else {
            throw MediaError(.damaged, "\(pages.name): the Opus header is cut off; it must fill its page")
        }
        return try OpusHeader(packet: packet, file: pages.name)
    }

    private static func codecName(_ start: [UInt8]) -> String {
        if start.hasASCII("vorbis", at: 1) { return "Vorbis" }
        if start.hasASCII("FLAC", at: 1) { return "FLAC" }
        if start.hasASCII("Speex") { return "Speex" }
        if start.hasASCII("theora", at: 1) { return "Theora video" }
        return "something that is not Opus"
    }
}
