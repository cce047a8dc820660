import HTTPClient
import HubEngine

/// The requests of an ACME client, one at a time.
final class ACMETransport {
    /// Milliseconds for all of a request.
    private static let longestMilliseconds = 30_000

    private let client: HTTPClient
    private let mailbox: ACMEMailbox
    private let authorityFile: String?

    /// Prepares the requests; nil where libcurl refuses.
    init?(_ mailbox: ACMEMailbox, trusting authorityFile: String?) {
        guard let client = HTTPClient() else { return nil }
        self.client = client
        self.mailbox = mailbox
        self.authorityFile = authorityFile
        mailbox.began(client.wakeUpHandle)
    }

    /// Notes that the thread is over; libcurl's handle is freed with this object, which the thread must not outlive.
    func close() { mailbox.ended() }

    /// Waits, or returns earlier when the mailbox is woken.
    func wait(_ duration: Duration) { client.wait(duration) }

    /// Sends a request, and waits for its response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - date: The present date, for failures.
    /// - Returns: The response; nil if the mailbox was stopped.
    /// - Throws: The reason that there is none.
    func response(to request: ACMERequest, at date: Instant) throws(ACMEFailure) -> ACMEResponse? {
        let method: HTTPClientRequest.Method =
            switch request.method {
            case .get: .get
            case .head: .head
            case .post(let body): .post(body)
            }
        var plain = HTTPClientRequest(
            method,
            request.url.text,
            headers: ["User-Agent: CallHub", "Content-Type: application/jose+json", "Accept-Language: en", "Expect:"],
            wantedHeaders: ["Replay-Nonce", "Location"],
            maximumBodyBytes: ACMEResponse.maximumBodyBytes,
            milliseconds: Self.longestMilliseconds
        )
        plain.maximumHeaderBytes = ACMEResponse.maximumHeaderBytes
        plain.authorityFile = authorityFile
        do throws(HTTPClientError) {
            let mailbox = mailbox
            guard let response = try client.response(to: plain, while: { !mailbox.isStopped }) else { return nil }
            return ACMEResponse(
                status: response.status,
                nonce: response.headers["Replay-Nonce"],
                location: response.headers["Location"],
                retryAfter: response.retryAfter,
                body: response.body
            )
        } catch {
            throw Self.failure(error, at: date)
        }
    }

    private static func failure(_ error: HTTPClientError, at date: Instant) -> ACMEFailure {
        switch error {
        case .notSent: .noMemory
        case .tooLong: .badAnswer("sends an answer of more than \(ACMEResponse.maximumBodyBytes / 1_048_576) MiB")
        case .hostNotFound: .serverNotFound
        case .certificateExpired: .clockDisagrees(date)
        case .untrusted(let reason): .untrusted(reason)
        case .unreachable(let reason): .unreachable(reason)
        }
    }
}
