import CLibWebSockets

/// The header fields of a request.
extension LWSRequest {
    /// A header field that the library has a number for.
    enum Field {
        case acceptEncoding, authorization, contentLength, host, ifNoneMatch, origin, upgrade, forwardedFor
        case webSocketKey, webSocketProtocol, webSocketVersion

        fileprivate var token: lws_token_indexes {
            switch self {
            case .acceptEncoding: WSI_TOKEN_HTTP_ACCEPT_ENCODING
            case .authorization: WSI_TOKEN_HTTP_AUTHORIZATION
            case .contentLength: WSI_TOKEN_HTTP_CONTENT_LENGTH
            case .host: WSI_TOKEN_HOST
            case .ifNoneMatch: WSI_TOKEN_HTTP_IF_NONE_MATCH
            case .origin: WSI_TOKEN_ORIGIN
            case .upgrade: WSI_TOKEN_UPGRADE
            case .forwardedFor: WSI_TOKEN_X_FORWARDED_FOR
            case .webSocketKey: WSI_TOKEN_KEY
            case .webSocketProtocol: WSI_TOKEN_PROTOCOL
            case .webSocketVersion: WSI_TOKEN_VERSION
            }
        }
    }

    /// Reads the value of a header field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The value, of all such fields joined by commas.
    subscript(field: Field) -> FieldValue {
        let token = field.token
        return value(ofLength: lws_hdr_total_length(wsi, token)) { lws_hdr_copy(wsi, $0, $1, token) }
    }

    /// Reads the value of a header field that the library has no number for.
    ///
    /// - Parameter name: The field's name in lower case, with its colon.
    /// - Returns: The value of the first such field.
    subscript(named name: String) -> FieldValue {
        let count = Int32(clamping: name.utf8.count)
        return value(ofLength: lws_hdr_custom_length(wsi, name, count)) {
            lws_hdr_custom_copy(wsi, $0, $1, name, count)
        }
    }

    /// The path of a GET or HEAD request, percent-decoded and without dot segments by the library.
    ///
    /// The library replaces each `&` and `;` of a path by a byte that it never writes, and counts it. So only a path
    /// without any is read: one fragment, of the length that was written. Nil for a path that has one of those
    /// characters, or is unreadable as a ``FieldValue`` is.
    var path: String? {
        let token = isHead ? WSI_TOKEN_HEAD_URI : WSI_TOKEN_GET_URI
        let length = lws_hdr_fragment_length(wsi, token, 0)
        guard length == lws_hdr_total_length(wsi, token) else { return nil }
        guard case .text(let path) = value(ofLength: length, { lws_hdr_copy_fragment(wsi, $0, $1, token, 0) }) else {
            return nil
        }
        return path
    }

    /// The parameters of the query of a GET or HEAD request, percent-decoded by the library.
    ///
    /// The library splits them at `&` and `;`. A parameter that is unreadable as a ``FieldValue`` is, such as a
    /// sentence in another language, is left out; nil if there are too many.
    var queryParameters: [String]? {
        var parameters: [String] = []
        for index in 0..<Self.maximumQueryParameters {
            let length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, index)
            guard length > 0 else { return parameters }
            let found = value(ofLength: length, atMost: Self.maximumQueryBytes) {
                lws_hdr_copy_fragment(wsi, $0, $1, WSI_TOKEN_HTTP_URI_ARGS, index)
            }
            if case .text(let parameter) = found { parameters.append(parameter) }
        }
        return nil
    }

    /// The Cookie header, which may be longer than others: browsers send the cookies of everything on the host.
    var cookieHeader: FieldValue {
        let length = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_COOKIE)
        return value(ofLength: length, atMost: Int(LWSContext.headerBytes)) {
            lws_hdr_copy(wsi, $0, $1, WSI_TOKEN_HTTP_COOKIE)
        }
    }

    private static let maximumQueryParameters: Int32 = 16
    private static let maximumQueryBytes = 4_096

    /// Copies a value out of the library's memory.
    ///
    /// - Parameters:
    ///   - length: The length of the value in bytes; 0 or less: none.
    ///   - limit: The maximum length.
    ///   - copy: Writes the value and a zero to memory of a given size; returns the value's length.
    /// - Returns: The value.
    private func value(
        ofLength length: Int32,
        atMost limit: Int = FieldValue.maximumBytes,
        _ copy: (UnsafeMutablePointer<CChar>, Int32) -> Int32
    ) -> FieldValue {
        guard let count = Int(exactly: length), count > 0 else { return .absent }
        guard count <= limit else { return .unreadable }
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
