import HubEngine
import HubWire

/// A reason that no certificate was issued.
enum ACMEFailure: Error, Hashable, Sendable {
    // The way to the server.
    /// The server's name cannot be looked up.
    case serverNotFound
    /// The server cannot be reached; libcurl's reason.
    case unreachable(String)
    /// The server's certificate is not valid at this machine's time.
    case clockDisagrees(Instant)
    /// The server's certificate is not trusted; libcurl's reason.
    case untrusted(String)

    // The server's judgement, with its own words.
    case challengeUnreachable(domain: String, ACMEChallengeKind, String)
    case domainNotFound(domain: String, String)
    case challengeWrong(domain: String, ACMEChallengeKind, String)
    case authorizationRefused(domain: String, String)
    case rateLimited(until: Instant?, String)
    case forbiddenByCAA(domain: String?, String)
    case badRequest(String)
    case domainRejected(domain: String?, String)
    case actionRequired(url: String?, String)
    case contactRefused(String)
    case externalAccountRequired
    case noKnownChallenge(domain: String)
    case noncesRefused
    case refused(type: String, String)
    case busy(status: Int)
    case redirected(to: String)

    // The client's own judgement.
    /// An answer that cannot be used; the end of a sentence that begins with the server.
    case badAnswer(String)
    /// The server has not finished in time; the step that it is at.
    case late(String)
    /// The certificate is not the ordered one; the end of a sentence that begins with it.
    case badCertificate(String)
    /// The certificate begins in the future by this machine's time.
    case notYetValid(from: Instant, now: Instant)
    /// A file cannot be written or read; a sentence.
    case storage(String)
    case noMemory
}

extension ACMEFailure {
    /// The longest that a server's `Retry-After` is honoured, in seconds: a week, the longest period of Let's Encrypt's
    /// limits.
    static let longestLimitSeconds = 7 * 86_400

    /// Classifies a response that is no success.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - date: The present date, from which `Retry-After` counts.
    init(_ response: ACMEResponse, at date: Instant) {
        let problem = ACMEProblem(response)
        switch response.status {
        case 300...399: self = .redirected(to: response.location ?? "")
        case 429:
            self = .rateLimited(until: Self.end(of: response.retryAfter, at: date), problem.detail)
        default:
            if !problem.type.isEmpty {
                self.init(problem, retryAfter: response.retryAfter, at: date)
            } else if response.status >= 500 {
                self = .busy(status: response.status)
            } else {
                self = .badAnswer("answers with HTTP status \(response.status) and no reason")
            }
        }
    }

    /// Classifies a problem of a request or an order (RFC 8555 section 6.7).
    init(_ problem: ACMEProblem, retryAfter: Int? = nil, at date: Instant) {
        let detail = problem.detail
        switch problem.type {
        case "rateLimited": self = .rateLimited(until: Self.end(of: retryAfter, at: date), detail)
        case "caa": self = .forbiddenByCAA(domain: problem.domain, detail)
        case "badCSR", "badPublicKey": self = .badRequest(detail)
        case "rejectedIdentifier", "unsupportedIdentifier":
            self = .domainRejected(domain: problem.domain, detail)
        case "userActionRequired": self = .actionRequired(url: problem.instance, detail)
        case "invalidContact", "unsupportedContact": self = .contactRefused(detail)
        case "externalAccountRequired": self = .externalAccountRequired
        case "badNonce": self = .noncesRefused
        case "dns":
            if let domain = problem.domain {
                self = .domainNotFound(domain: domain, detail)
            } else {
                self = .refused(type: problem.type, detail)
            }
        default: self = .refused(type: problem.type, detail)
        }
    }

    /// Classifies the problem of a challenge.
    init(_ problem: ACMEProblem?, of kind: ACMEChallengeKind?, domain: String, at date: Instant) {
        let detail = problem?.detail ?? ""
        switch (problem?.type, kind) {
        case ("connection", let kind?), ("tls", let kind?):
            self = .challengeUnreachable(domain: domain, kind, detail)
        case ("dns", _): self = .domainNotFound(domain: domain, detail)
        case ("unauthorized", let kind?), ("incorrectResponse", let kind?):
            self = .challengeWrong(domain: domain, kind, detail)
        case ("caa", _): self = .forbiddenByCAA(domain: domain, detail)
        case ("rateLimited", _), ("rejectedIdentifier", _), ("userActionRequired", _):
            self.init(problem ?? ACMEProblem(type: "", detail: ""), at: date)
        default: self = .authorizationRefused(domain: domain, detail)
        }
    }

    /// Indicates that another kind of challenge may succeed where this one did not.
    var concernsChallenge: Bool {
        switch self {
        case .challengeUnreachable, .challengeWrong, .noKnownChallenge: true
        default: false
        }
    }

    /// The date until which the server wants no further request; nil: it has not said.
    private static func end(of retryAfter: Int?, at date: Instant) -> Instant? {
        retryAfter.map { date + .seconds(min(max($0, 0), longestLimitSeconds)) }
    }
}
