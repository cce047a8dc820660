import COgg

/// A reader of the pages of an Ogg file (RFC 3533 section 6) and of the packets in one stream's pages.
///
/// Damaged pages and other data are skipped, as libogg does by the pages' checksums.
final class OggPageReader {
    /// The header of a page, and the beginning of its body.
    struct Page {
        let serial: Int32
        let beginsStream: Bool
        let endsStream: Bool
        /// The position after the last packet that ends on the page; `nil` if none does.
        let granule: Int64?
        /// The first 8 bytes of the body, enough to identify the codec.
        let start: [UInt8]
    }

    /// A packet, or a place where packets are missing.
    enum Content {
        case packet([UInt8])
        case hole
    }

    /// The file's name for messages.
    var name: String { file.name }

    private let file: FileDescriptor
    private var sync = ogg_sync_state()
    private var stream = ogg_stream_state()
    private var page = ogg_page()

    init(_ file: consuming FileDescriptor) {
        self.file = file
        ogg_sync_init(&sync)
        ogg_stream_init(&stream, 0)
    }

    deinit {
        ogg_stream_clear(&stream)
        ogg_sync_clear(&sync)
    }

    /// Reads up to the next page; `nil` at the end of the file.
    func next() throws(MediaError) -> Page? {
        while true {
            let found = ogg_sync_pageout(&sync, &page)
            if found == 1 { return currentPage() }
            // A negative result means that bytes were skipped: try again before reading more.
            if found < 0 { continue }
            guard let buffer = ogg_sync_buffer(&sync, Self.bytesPerRead) else {
                throw MediaError(.inputOutput, "\(name): there is no memory left to read it")
            }
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: Self.bytesPerRead)
            let count = try file.read(into: room)
            guard count > 0 else { return nil }
            ogg_sync_wrote(&sync, count)
        }
    }

    /// Selects the stream with a serial number for `contents()`.
    func selectStream(serial: Int32) {
        ogg_stream_reset_serialno(&stream, serial)
    }

    /// Returns all packets that end on the page read last, which must belong to the selected stream.
    func contents() -> [Content] {
        guard ogg_stream_pagein(&stream, &page) == 0 else { return [] }
        var contents: [Content] = []
        var packet = ogg_packet()
        while true {
            let result = ogg_stream_packetout(&stream, &packet)
            guard result != 0 else { return contents }
            guard result > 0 else {
                contents.append(.hole)
                continue
            }
            contents.append(.packet(Array(UnsafeBufferPointer(start: packet.packet, count: packet.bytes))))
        }
    }

    private func currentPage() -> Page {
        let granule = ogg_page_granulepos(&page)
        let body = UnsafeBufferPointer(start: page.body, count: page.body_len)
        return Page(
            serial: ogg_page_serialno(&page),
            beginsStream: ogg_page_bos(&page) != 0,
            endsStream: ogg_page_eos(&page) != 0,
            granule: granule >= 0 ? granule : nil,
            start: Array(body.prefix(8))
        )
    }

    /// More: fewer system calls; more memory.
    private static let bytesPerRead = 8_192
}
