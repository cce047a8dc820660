import CLibWebSockets

/// The check that frames read by libwebsockets were masked.
extension Receiver {
    /// Checks quickly that a short frame was masked, as nearly all are.
    ///
    /// - Parameters:
    ///   - payload: The payload in the library's buffer.
    ///   - count: The length of the payload in bytes.
    ///   - isText: True for a text frame, false for a binary one.
    /// - Returns: True if it was masked; false if `isUnmasked` has to decide.
    @inline(__always)
    func isPlainlyMasked(_ payload: UnsafeMutableRawPointer, count: Int, isText: Bool) -> Bool {
        let offset = UInt(bitPattern: payload) &- serviceBuffer.pointee
        guard count < 126, offset >= 6, offset < UInt(LibraryContext.serviceBufferBytes) else { return false }
        return (payload - 5).load(as: UInt8.self) == UInt8(truncatingIfNeeded: count) | 0x80
            && (payload - 6).load(as: UInt8.self) & 0x7F == (isText ? 1 : 2)
    }

    /// Checks if the first frame of a message was sent without a mask, which RFC 6455 section 5.1 forbids.
    ///
    /// The library neither checks nor reports it; but the frame's header is in front of the payload. For a header that
    /// came in two parts there is no certainty: then the last four bytes of a masking key would have to look like a
    /// header by chance, once in some millions of those that come in parts.
    ///
    /// - Parameters:
    ///   - payload: The payload in the library's buffer.
    ///   - count: The number of bytes of it that have been received.
    ///   - wsi: The libwebsockets object of the connection.
    /// - Returns: True if the frame was certainly not masked.
    func isUnmasked(_ payload: UnsafeMutableRawPointer, count: Int, wsi: OpaquePointer) -> Bool {
        let offset = UInt(bitPattern: payload) &- serviceBuffer.pointee
        guard offset < UInt(LibraryContext.serviceBufferBytes), offset >= 2 else { return false }
        let available = Int(offset)
        let (length, overflow) = count.addingReportingOverflow(Int(clamping: lws_remaining_packet_payload(wsi)))
        guard !overflow else { return false }
        func byte(_ back: Int) -> UInt8 { (payload - back).load(as: UInt8.self) }
        func spells(_ bytes: Int, endingAt back: Int) -> Bool {
            (0..<bytes).allSatisfy { byte(back + $0) == UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        }
        let header = length < 126 ? 2 : length < 65_536 ? 4 : 10
        let opcode: UInt8 = lws_frame_is_binary(wsi) == 0 ? 1 : 2
        guard available >= header, byte(header) & 0x7F == opcode else { return false }
        switch header {
        case 2: guard byte(1) == length else { return false }
        case 4: guard byte(3) == 126, spells(2, endingAt: 1) else { return false }
        default: guard byte(9) == 127, spells(8, endingAt: 1) else { return false }
        }
        guard available >= header + 4 else { return available == header }
        switch header {
        case 2: return byte(5) != UInt8(truncatingIfNeeded: length) | 0x80
        case 4: return !(byte(7) == 0xFE && spells(2, endingAt: 5))
        default: return !(byte(13) == 0xFF && spells(8, endingAt: 5))
        }
    }
}
