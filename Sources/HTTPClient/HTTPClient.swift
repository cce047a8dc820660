import CCurl

/// Requests to other servers whose responses are read, one at a time, by libcurl; for one thread.
///
/// Certificates of the servers are verified, redirects not followed, no proxy used.
package final class HTTPClient {
    private let multi: UnsafeMutableRawPointer

    private static let isPrepared = hub_curl_prepare() == CURLE_OK

    /// Prepares libcurl; nil where it refuses.
    package init?() {
        guard Self.isPrepared, let multi = curl_multi_init() else { return nil }
        self.multi = multi
    }

    deinit { curl_multi_cleanup(multi) }

    /// The handle for `curl_multi_wakeup`, the one function of the library that any thread may call.
    package var wakeUpHandle: UnsafeMutableRawPointer { multi }

    /// Waits, or returns earlier when the handle is woken.
    package func wait(_ duration: Duration) {
        let milliseconds = (duration / .milliseconds(1)).rounded(.up)
        curl_multi_poll(multi, nil, 0, Int32(min(max(milliseconds, 0), 60_000)), nil)
    }

    /// Sends a request, and waits for its response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isWanted: Called every second at least, and when the handle is woken; false cancels the request.
    /// - Returns: The response; nil if the request was cancelled.
    /// - Throws: The reason that there is none.
    package func response(
        to request: HTTPClientRequest,
        while isWanted: () -> Bool = { true }
    ) throws(HTTPClientError) -> HTTPClientResponse? {
        guard let transfer = curl_easy_init() else { throw .notSent }
        defer { curl_easy_cleanup(transfer) }
        var headers: UnsafeMutablePointer<curl_slist>?
        for line in request.headers { headers = curl_slist_append(headers, line) ?? headers }
        defer { curl_slist_free_all(headers) }
        let answer = UnsafeMutablePointer<hub_curl_answer>.allocate(capacity: 1)
        answer.initialize(to: hub_curl_answer())
        answer.pointee.limit = max(request.maximumBodyBytes, 0)
        answer.pointee.header_limit = max(request.maximumHeaderBytes, 0)
        defer {
            hub_curl_free_answer(answer)
            answer.deallocate()
        }
        let (method, body) = Self.parts(of: request.method)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(body.count, 1))
        _ = bytes.initialize(from: body)
        defer { bytes.deallocate() }
        let prepared = hub_curl_prepare_request(
            transfer,
            request.allowsPlainHTTP ? "http,https" : "https",
            request.url,
            method,
            headers,
            bytes.baseAddress,
            body.count,
            request.milliseconds,
            request.authorityFile,
            answer
        )
        guard prepared == CURLE_OK, curl_multi_add_handle(multi, transfer) == CURLM_OK else { throw .notSent }
        defer { curl_multi_remove_handle(multi, transfer) }
        guard let result = perform(while: isWanted) else { return nil }
        if answer.pointee.is_too_long != 0 { throw .tooLong }
        guard result == CURLE_OK else { throw Self.error(result, of: transfer) }
        return Self.response(of: transfer, answer.pointee, request.wantedHeaders)
    }

    /// Runs the transfer to its end; nil if it was cancelled.
    private func perform(while isWanted: () -> Bool) -> CURLcode? {
        var running: Int32 = 1
        while isWanted() {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
            var result = CURLE_OK
            if hub_curl_next_ended(multi, &result) != nil { return result }
            curl_multi_poll(multi, nil, 0, 1_000, nil)
        }
        return nil
    }

    private static func parts(of method: HTTPClientRequest.Method) -> (hub_curl_method, [UInt8]) {
        switch method {
        case .get: (HUB_CURL_GET, [])
        case .head: (HUB_CURL_HEAD, [])
        case .post(let body): (HUB_CURL_POST, body)
        }
    }

    private static func response(
        of transfer: UnsafeMutableRawPointer,
        _ answer: hub_curl_answer,
        _ wanted: [String]
    ) -> HTTPClientResponse {
        var headers: [String: String] = [:]
        for name in wanted { headers[name] = hub_curl_header(transfer, name).map { String(cString: $0) } }
        let wait = Int(clamping: hub_curl_retry_after(transfer))
        return HTTPClientResponse(
            status: hub_curl_status(transfer),
            headers: headers,
            retryAfter: hub_curl_header(transfer, "Retry-After") == nil || wait < 0 ? nil : wait,
            body: Array(UnsafeBufferPointer(start: answer.bytes, count: answer.count))
        )
    }

    private static func error(_ result: CURLcode, of transfer: UnsafeMutableRawPointer) -> HTTPClientError {
        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
        if [9, 10].contains(hub_curl_verification(transfer)) { return .certificateExpired }
        let reason = String(cString: curl_easy_strerror(result))
        return switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
        case CURLE_PEER_FAILED_VERIFICATION: .untrusted(reason)
        default: .unreachable(reason)
        }
    }
}
