import CCurl
import HubEngine

/// One HTTPS request to a push service, from its start to its end.
struct PushTransfer: ~Copyable {
    /// The number of the message that it carries.
    let id: UInt64

    /// libcurl's handle, by which the transfer is found when it has ended.
    let handle: UnsafeMutableRawPointer

    private let multi: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let body: UnsafeMutableBufferPointer<UInt8>

    /// Starts a request.
    ///
    /// - Parameters:
    ///   - id: The message's number.
    ///   - message: The message.
    ///   - multi: libcurl's handle of all transfers.
    ///   - certificateAuthority: A PEM file of certificates that are trusted beside the system's; nil: none.
    ///   - now: The time, from which the message's life at the service is counted.
    /// - Returns: Nil where libcurl refuses it.
    static func start(
        _ id: UInt64,
        _ message: OutgoingPushMessage,
        in multi: UnsafeMutableRawPointer,
        trusting certificateAuthority: String?,
        at now: Instant
    ) -> PushTransfer? {
        guard let handle = curl_easy_init() else { return nil }
        let transfer = PushTransfer(id, handle, multi, headers: message.headers(at: now), body: message.body)
        let prepared = hub_curl_prepare_post(
            handle,
            message.url,
            transfer.headers,
            transfer.body.baseAddress,
            transfer.body.count,
            Self.longestMilliseconds,
            certificateAuthority
        )
        guard prepared == CURLE_OK, curl_multi_add_handle(multi, handle) == CURLM_OK else { return nil }
        return transfer
    }

    private init(
        _ id: UInt64,
        _ handle: UnsafeMutableRawPointer,
        _ multi: UnsafeMutableRawPointer,
        headers lines: [String],
        body bytes: [UInt8]
    ) {
        self.id = id
        self.handle = handle
        self.multi = multi
        var headers: UnsafeMutablePointer<curl_slist>?
        for line in lines { headers = curl_slist_append(headers, line) ?? headers }
        self.headers = headers
        body = .allocate(capacity: bytes.count)
        _ = body.initialize(from: bytes)
    }

    deinit {
        curl_multi_remove_handle(multi, handle)
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        body.deallocate()
    }

    /// Returns the response to a request that has ended.
    ///
    /// - Parameter result: libcurl's result code.
    /// - Returns: The response, and a short description for the log.
    func answer(_ result: CURLcode) -> (PushQueue.Answer, String) {
        let status = hub_curl_status(handle)
        // The status is valid even if the connection breaks after the headers.
        guard status > 0 else { return (.none, String(cString: curl_easy_strerror(result))) }
        let wait = Int(clamping: hub_curl_retry_after(handle))
        return (.status(status, retryAfter: (1...86_400).contains(wait) ? wait : nil), "\(status)")
    }

    /// Milliseconds for all of a request: longer than the queue waits, so that the queue decides.
    private static let longestMilliseconds = 30_000
}

extension OutgoingPushMessage {
    /// The address of the subscription.
    fileprivate var url: String { "https://\(authority)\(path)" }

    /// The header lines of the request that the message defines.
    ///
    /// - Parameter now: The time from which the message's life at the service is counted.
    /// - Returns: The lines without their ends.
    fileprivate func headers(at now: Instant) -> [String] {
        let lifetime = Int(max(0, (expiresAt.since(now) / .seconds(1)).rounded(.up)))
        return [
            "TTL: \(lifetime)", "Urgency: high", "Topic: \(topic)", "Content-Type: application/octet-stream",
            "Content-Encoding: aes128gcm", "Authorization: \(authorization)",
            // libcurl would wait for a "100 Continue" that no service sends.
            "Expect:",
        ]
    }
}
