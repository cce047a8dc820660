import CLibWebSockets

/// The value of a header field of a request (RFC 9110 section 5.5).
///
/// Only ASCII is accepted, so that strings compare byte by byte: comparing others under Unicode normalisation takes
/// milliseconds for a few kilobytes that an attacker chooses.
enum FieldValue: Equatable {
    /// No such field, or an empty one.
    case absent

    /// More than ``longest`` bytes, or other bytes than visible ASCII, spaces and tabs.
    case unreadable

    /// Up to ``longest`` bytes of visible ASCII, spaces and tabs; values of several lines are joined by commas.
    case text(String)

    /// The maximum length in bytes of a value or path.
    ///
    /// More: longer lists of proxies and subprotocols pass; an attacker's request costs the loop more time.
    static let longest = 1_024

    /// The rule that an unreadable value breaks, for refusals.
    static let rule = "at most \(longest) bytes of ASCII"
}

extension ServerLoop {
    /// Reads the value of a header field that the library has a number for.
    ///
    /// - Parameters:
    ///   - token: The library's number for the field's name.
    ///   - wsi: The connection, whose request is received completely.
    /// - Returns: The value, of all such fields joined by commas.
    func field(_ token: lws_token_indexes, of wsi: OpaquePointer) -> FieldValue {
        value(ofLength: lws_hdr_total_length(wsi, token)) { lws_hdr_copy(wsi, $0, $1, token) }
    }

    /// Reads the value of a header field that the library has no number for.
    ///
    /// - Parameters:
    ///   - name: The field's name in lower case, with its colon.
    ///   - wsi: The connection, whose request is received completely.
    /// - Returns: The value of the first such field.
    func field(named name: String, of wsi: OpaquePointer) -> FieldValue {
        let count = Int32(clamping: name.utf8.count)
        return value(ofLength: lws_hdr_custom_length(wsi, name, count)) {
            lws_hdr_custom_copy(wsi, $0, $1, name, count)
        }
    }

    /// Reads the path of a GET or HEAD request, percent-decoded and without dot segments by the library.
    ///
    /// The library replaces each `&` and `;` of a path by a byte that it never writes, and counts it. So only a path
    /// without any is read: one fragment, of the length that was written.
    ///
    /// - Parameter wsi: The connection, whose request is received completely.
    /// - Returns: Nil for a path that is unreadable as a ``FieldValue`` is, or has one of those characters.
    func path(of wsi: OpaquePointer) -> String? {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        let token = isHead ? WSI_TOKEN_HEAD_URI : WSI_TOKEN_GET_URI
        let length = lws_hdr_fragment_length(wsi, token, 0)
        guard length == lws_hdr_total_length(wsi, token) else { return nil }
        guard case .text(let path) = value(ofLength: length, { lws_hdr_copy_fragment(wsi, $0, $1, token, 0) }) else {
            return nil
        }
        return path
    }

    /// Copies a value out of the library's memory.
    ///
    /// - Parameters:
    ///   - length: The length of the value in bytes; 0 or less: none.
    ///   - copy: Writes the value and a zero to memory of a given size; returns the value's length.
    /// - Returns: The value.
    private func value(ofLength length: Int32, _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32) -> FieldValue {
        guard let count = Int(exactly: length), count > 0 else { return .absent }
        guard count <= FieldValue.longest else { return .unreadable }
        return withUnsafeTemporaryAllocation(byteCount: count + 1, alignment: 1) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let written = memory.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { copy($0, length + 1) }
            }
            let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count])
            // Behind a zero byte the library copies nothing more.
            guard written == length, bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                return .unreadable
            }
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }
}
