import CCurl
import HubEngine

/// The requests of an ACME client, one at a time, by libcurl.
final class ACMETransport {
    /// Milliseconds for all of a request.
    private static let longestMilliseconds = 30_000

    private let multi: UnsafeMutableRawPointer
    private let mailbox: ACMEMailbox
    private let authorityFile: String?

    private static let isPrepared = hub_curl_prepare() == CURLE_OK

    /// Prepares libcurl; nil where it refuses.
    init?(_ mailbox: ACMEMailbox, trusting authorityFile: String?) {
        guard Self.isPrepared, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.mailbox = mailbox
        self.authorityFile = authorityFile
        mailbox.began(multi)
    }

    /// Frees libcurl's handle.
    func close() {
        mailbox.ended()
        curl_multi_cleanup(multi)
    }

    /// Waits, or returns earlier when the mailbox is woken.
    func wait(_ duration: Duration) {
        let milliseconds = (duration / .milliseconds(1)).rounded(.up)
        curl_multi_poll(multi, nil, 0, Int32(min(max(milliseconds, 0), 60_000)), nil)
    }

    /// Sends a request, and waits for its response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - date: The present date, for failures.
    /// - Returns: The response; nil if the mailbox was stopped.
    /// - Throws: The reason that there is none.
    func response(to request: ACMERequest, at date: Instant) throws(ACMEFailure) -> ACMEResponse? {
        guard let transfer = curl_easy_init() else { throw .noMemory }
        defer { curl_easy_cleanup(transfer) }
        var headers: UnsafeMutablePointer<curl_slist>?
        for line in ["User-Agent: CallHub", "Content-Type: application/jose+json", "Accept-Language: en", "Expect:"] {
            headers = curl_slist_append(headers, line) ?? headers
        }
        defer { curl_slist_free_all(headers) }
        let answer = UnsafeMutablePointer<hub_curl_answer>.allocate(capacity: 1)
        answer.initialize(to: hub_curl_answer())
        answer.pointee.limit = ACMEResponse.maximumBodyBytes
        answer.pointee.header_limit = ACMEResponse.maximumHeaderBytes
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
            request.url.text,
            method,
            headers,
            bytes.baseAddress,
            body.count,
            Self.longestMilliseconds,
            authorityFile,
            answer
        )
        guard prepared == CURLE_OK, curl_multi_add_handle(multi, transfer) == CURLM_OK else { throw .noMemory }
        defer { curl_multi_remove_handle(multi, transfer) }
        guard let result = perform() else { return nil }
        if answer.pointee.is_too_long != 0 {
            throw .badAnswer("sends an answer of more than \(ACMEResponse.maximumBodyBytes / 1_048_576) MiB")
        }
        guard result == CURLE_OK else { throw Self.failure(result, of: transfer, at: date) }
        return Self.response(of: transfer, answer.pointee)
    }

    /// Runs the transfer to its end; nil if the mailbox was stopped.
    private func perform() -> CURLcode? {
        var running: Int32 = 1
        while !mailbox.isStopped {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
            var result = CURLE_OK
            if hub_curl_next_ended(multi, &result) != nil { return result }
            curl_multi_poll(multi, nil, 0, 1_000, nil)
        }
        return nil
    }

    private static func parts(of method: ACMERequest.Method) -> (hub_curl_method, [UInt8]) {
        switch method {
        case .get: (HUB_CURL_GET, [])
        case .head: (HUB_CURL_HEAD, [])
        case .post(let body): (HUB_CURL_POST, body)
        }
    }

    private static func response(of transfer: UnsafeMutableRawPointer, _ answer: hub_curl_answer) -> ACMEResponse {
        func header(_ name: String) -> String? { hub_curl_header(transfer, name).map { String(cString: $0) } }
        let wait = Int(clamping: hub_curl_retry_after(transfer))
        return ACMEResponse(
            status: hub_curl_status(transfer),
            nonce: header("Replay-Nonce"),
            location: header("Location"),
            retryAfter: header("Retry-After") == nil || wait < 0 ? nil : wait,
            body: Array(UnsafeBufferPointer(start: answer.bytes, count: answer.count))
        )
    }

    private static func failure(
        _ result: CURLcode,
        of transfer: UnsafeMutableRawPointer,
        at date: Instant
    ) -> ACMEFailure {
        // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
        if [9, 10].contains(hub_curl_verification(transfer)) { return .clockDisagrees(date) }
        let reason = String(cString: curl_easy_strerror(result))
        return switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .serverNotFound
        case CURLE_PEER_FAILED_VERIFICATION: .untrusted(reason)
        default: .unreachable(reason)
        }
    }
}
