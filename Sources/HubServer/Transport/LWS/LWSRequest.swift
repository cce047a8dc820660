import CLibWebSockets

/// An HTTP request that libwebsockets has read, or the accepted socket before one.
///
/// A trivial view of the library's object, valid inside the callback that reports it, or until the socket is destroyed.
struct LWSRequest: Hashable {
    /// The library's object.
    let wsi: OpaquePointer

    /// Makes the view of a request.
    ///
    /// - Parameter wsi: The library's object.
    init(_ wsi: OpaquePointer) {
        self.wsi = wsi
    }

    /// The number that the socket was given to the library with (``LWSContext/adopt(_:number:)``); 0: none.
    var socketNumber: UInt { UInt(bitPattern: lws_get_opaque_user_data(wsi)) }

    /// True for HEAD.
    var isHead: Bool { lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0 }

    /// True for GET.
    var isGet: Bool { lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 }

    /// True if the request has a Transfer-Encoding header, with a value or not.
    var hasTransferEncoding: Bool { lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 }

    /// Requests a report once the socket is writable.
    func requestWritable() {
        lws_callback_on_writable(wsi)
    }

    /// Pauses or resumes reading.
    ///
    /// - Parameter isReading: True to resume. libwebsockets does not write to a socket that it does not read
    ///   (`rops_handle_POLLIN_h1`).
    func setReading(_ isReading: Bool) {
        lws_rx_flow_control(wsi, isReading ? 1 : 0)
    }

    /// Writes a whole response; a failure needs no handling, as the connection is closed in either case.
    ///
    /// - Parameters:
    ///   - head: The status line and the header lines, with the empty line.
    ///   - body: The content.
    func write(head: String, body: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: hub_lws_pre)
        bytes += head.utf8
        bytes += body
        let count = bytes.count - hub_lws_pre
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            _ = lws_write(wsi, base + hub_lws_pre, count, LWS_WRITE_HTTP)
        }
    }

    /// Sends a file as the socket takes it; the end is reported by `LWS_CALLBACK_HTTP_FILE_COMPLETION`.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - contentType: The Content-Type value.
    ///   - headers: Further header lines, each with its line end.
    /// - Returns: False if the connection is to be closed.
    func sendFile(_ path: String, contentType: String, headers: String) -> Bool {
        lws_serve_http_file(wsi, path, contentType, headers, Int32(clamping: headers.utf8.count)) == 0
    }
}
