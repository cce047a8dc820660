import HubCrypto
import HubEngine

/// One attempt to obtain a certificate (RFC 8555 section 7): a state machine without I/O.
///
/// `start` and `handle` return commands. The last one is always a request, a wait, or the end; its result is the next
/// event.
struct ACMEOrder {
    /// The result of the last command.
    enum Event {
        case response(ACMEResponse)
        /// The wait is over.
        case waited
    }

    /// An instruction for the caller.
    enum Command: Hashable {
        case send(ACMERequest)
        case wait(Duration)
        /// The terms of service that are agreed to, for the log.
        case noteTerms(String)
        /// The account's URL, to be stored; nil: the server no longer has it.
        case storeAccount(ACMEURL?)
        /// The order's URL, to be stored; nil: it is over.
        case storeOrder(ACMEURL?)
        case publish(ChallengeAnswer)
        /// The chain in PEM, not checked yet; the end.
        case finish(chain: [UInt8])
        /// The end; the response's `Retry-After`, in seconds.
        case fail(ACMEFailure, retryAfter: Int?)
    }

    /// An answer for the server's validation.
    struct ChallengeAnswer: Hashable {
        let kind: ACMEChallengeKind
        let domain: String
        let token: String
        let keyAuthorization: String
    }

    /// The present time by both clocks.
    struct Time {
        /// The monotonic clock, for deadlines.
        let uptime: Instant
        /// The wall clock, for dates.
        let date: Instant
    }

    /// The longest that an attempt takes.
    ///
    /// More: challenges stay published longer; less: slow authorities are given up while they work. The order is taken
    /// up again by the next attempt.
    static let longest = Duration.seconds(900)

    /// The most refusals of a nonce, one after the other.
    static let maximumNonceRetries = 20

    /// The step that the next event belongs to.
    enum Step {
        case directory
        /// A nonce for a request.
        case nonce(SignedRequest)
        case answer(SignedRequest)
        /// The wait before a request.
        case pause(SignedRequest)
        case ended
    }

    /// A request that needs a nonce and a signature.
    struct SignedRequest {
        let purpose: Purpose
        let url: ACMEURL
        /// The body as JSON; empty for POST-as-GET.
        var payload = ""
    }

    /// The meaning of a request's answer.
    enum Purpose {
        case account
        case newOrder
        /// The state of an order of an earlier attempt.
        case storedOrder
        case authorization(ACMEURL)
        case challenge(ACMEURL)
        /// The state of the order after its authorizations.
        case order
        case finalization
        case certificate
    }

    let settings: CheckedACMESettings
    let accountKey: SigningKey
    /// The key of the certificate.
    let certificateKey: SigningKey
    /// The kinds of challenges to try, the preferred one first.
    let challenges: [ACMEChallengeKind]

    var step = Step.ended
    var directory: ACMEDirectory?
    var account: ACMEURL?
    var order: ACMEURL?
    /// The authorizations that were not seen to be valid yet.
    var authorizations: [ACMEURL] = []
    private var deadline = Instant(nanoseconds: .max)
    /// The number of polls since the last progress.
    var polls = 0
    /// Indicates that the server was sent the request for the certificate.
    var isFinalized = false
    /// Indicates that the server did not know the account.
    var hasLostAccount = false
    var nonce: String?
    var nonceRetries = 0

    /// Makes an attempt.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - accountKey: The key of the account, P-256.
    ///   - certificateKey: The key of the certificate, P-256.
    ///   - account: The account's URL; nil: not known.
    ///   - order: The URL of an order for `certificateKey` that was begun before; nil: none.
    ///   - challenges: The kinds of challenges to try, the preferred one first.
    init(
        settings: CheckedACMESettings,
        accountKey: SigningKey,
        certificateKey: SigningKey,
        account: ACMEURL? = nil,
        order: ACMEURL? = nil,
        challenges: [ACMEChallengeKind]
    ) {
        self.settings = settings
        self.accountKey = accountKey
        self.certificateKey = certificateKey
        self.account = account
        self.order = account == nil ? nil : order
        self.challenges = challenges
    }

    /// Begins the attempt.
    mutating func start(at time: Time) -> [Command] {
        deadline = time.uptime + Self.longest
        step = .directory
        return [.send(ACMERequest(method: .get, url: settings.directory))]
    }

    /// Takes the result of the last command.
    mutating func handle(_ event: Event, at time: Time) -> [Command] {
        do throws(ACMEFailure) {
            guard time.uptime < deadline else { throw .late(stepName) }
            switch (step, event) {
            case (.directory, .response(let response)): return try takeDirectory(response, at: time)
            case (.nonce(let request), .response(let response)): return try takeNonce(response, for: request, at: time)
            case (.answer(let request), .response(let response)): return try take(response, to: request, at: time)
            case (.pause(let request), .waited): return try send(request)
            default: return []
            }
        } catch {
            step = .ended
            var retryAfter: Int?
            if case .response(let response) = event { retryAfter = response.retryAfter }
            return ends(order: error) + [.fail(error, retryAfter: retryAfter)]
        }
    }

    /// The step in words, for a server that does not finish it.
    private var stepName: String {
        switch step {
        case .answer(let request), .pause(let request), .nonce(let request):
            switch request.purpose {
            case .authorization, .challenge: "its validation of a domain"
            case .order, .finalization, .certificate: "its work on the certificate"
            default: "its answer to the order"
            }
        case .directory, .ended: "its answer"
        }
    }

    /// Returns the command that discards the order, unless a failure leaves it as it is.
    private mutating func ends(order failure: ACMEFailure) -> [Command] {
        switch failure {
        // The server judges again what it is sent again; an order without a future is discarded where that is seen.
        case .badRequest where order != nil:
            order = nil
            return [.storeOrder(nil)]
        default: return []
        }
    }
}
