import HubEngine
import HubWire

extension ACMEFailure {
    /// Describes the failure in one sentence: the reason, and what to do.
    ///
    /// - Parameter server: The server's host name.
    /// - Returns: The sentence, with the server's own words cut and without control characters.
    func sentence(server: String) -> String {
        let server = "the certificate server \(server)"
        return switch self {
        case .serverNotFound, .unreachable, .clockDisagrees, .untrusted, .redirected, .busy, .badAnswer, .late,
            .noncesRefused, .noMemory, .storage:
            connectionSentence(server)
        case .challengeUnreachable, .domainNotFound, .challengeWrong, .authorizationRefused, .noKnownChallenge:
            challengeSentence(server)
        default: refusalSentence(server)
        }
    }

    /// Describes a failure on the way to the server, or of what it sends.
    private func connectionSentence(_ server: String) -> String {
        switch self {
        case .serverNotFound:
            "The name of \(server) cannot be looked up; check this machine's network and DNS."
        case .unreachable(let reason):
            "\(server.capitalized) cannot be reached (\(Self.words(reason))); "
                + "check this machine's network, and that its firewall lets https out."
        case .clockDisagrees(let now):
            "The certificate of \(server) is not valid at this machine's time, \(Self.time(now)); set the clock."
        case .untrusted(let reason):
            "The certificate of \(server) is not trusted (\(Self.words(reason))); "
                + "check the directory's URL, and that ca-certificates is installed."
        case .redirected(let target):
            "\(server.capitalized) redirects to \(shown(target)), which is not followed; check the directory's URL."
        case .busy(let status):
            "\(server.capitalized) has a fault of its own (HTTP status \(status)); nothing is to be done here."
        case .badAnswer(let what):
            "\(server.capitalized) \(what); check the directory's URL, and that no proxy changes answers."
        case .late(let step):
            "\(server.capitalized) has not finished \(step) in time; the order is kept and taken up again."
        case .noncesRefused:
            "\(server.capitalized) refuses each request as a replay; nothing is to be done here."
        case .storage(let sentence): sentence
        default: "OpenSSL has no memory left for a key or a signature; free memory on this machine."
        }
    }

    /// Describes a failure to prove a name.
    private func challengeSentence(_ server: String) -> String {
        switch self {
        case .challengeUnreachable(let domain, let kind, let detail):
            "\(server.capitalized) cannot connect to \(Self.word(domain)) on port \(kind.port) for \(kind.rawValue); "
                + "open the port in firewall and router to this hub\(Self.said(detail))."
        case .challengeWrong(let domain, let kind, let detail):
            "\(Self.word(domain)) leads elsewhere: on port \(kind.port) another program than this hub answers the "
                + "\(kind.rawValue) challenge; point the name's A and AAAA records here\(Self.said(detail))."
        case .domainNotFound(let domain, let detail):
            "\(server.capitalized) cannot look up \(Self.word(domain)); "
                + "add an A or AAAA record that leads to this hub\(Self.said(detail))."
        case .noKnownChallenge(let domain):
            "\(server.capitalized) offers for \(Self.word(domain)) none of the challenges that are allowed here; "
                + "allow http-01 and tls-alpn-01."
        case .authorizationRefused(let domain, let detail):
            "\(server.capitalized) does not accept that \(Self.word(domain)) is this hub's; "
                + "check the name's DNS records\(Self.said(detail))."
        default: "\(server.capitalized) issues no certificate."
        }
    }

    /// Describes a refusal of an order or account.
    private func refusalSentence(_ server: String) -> String {
        switch self {
        case .rateLimited(let until?, let detail):
            "\(server.capitalized) has a limit that is reached until \(Self.time(until)); "
                + "wait, it is tried again then\(Self.said(detail))."
        case .rateLimited(nil, let detail):
            "\(server.capitalized) has a limit that is reached; wait, it is tried again later\(Self.said(detail))."
        case .forbiddenByCAA(let domain, let detail):
            "The DNS of \(Self.word(domain ?? "a domain")) forbids \(server) to issue a certificate; "
                + "add its authority to the CAA record or remove the record\(Self.said(detail))."
        case .badRequest(let detail):
            "\(server.capitalized) refuses the certificate request; check that it allows P-256 keys, "
                + "and all the domains in one certificate\(Self.said(detail))."
        case .domainRejected(let domain, let detail):
            "\(server.capitalized) issues no certificate for \(Self.word(domain ?? "one of the domains")); "
                + "take another name, or leave it out\(Self.said(detail))."
        case .actionRequired(let url, let detail):
            "\(server.capitalized) wants its account's owner to act"
                + (url.map { "; open \(Self.word($0))" } ?? "; read its news") + "\(Self.said(detail))."
        case .contactRefused(let detail):
            "\(server.capitalized) refuses the contact; "
                + "give an e-mail address that exists, or none\(Self.said(detail))."
        case .externalAccountRequired:
            "\(server.capitalized) wants an account that was made with it before (externalAccountRequired), "
                + "which this hub cannot use; choose another directory."
        case .badCertificate(let reason):
            "The certificate that \(server) has issued \(reason), and is not used; check the directory's URL."
        case .notYetValid(let start, let now):
            "The certificate begins at \(Self.time(start)), and this machine's clock shows \(Self.time(now)); "
                + "set the clock."
        case .refused(let type, let detail):
            "\(server.capitalized) refuses the request (\(Self.word(type))); "
                + "check the domains and the directory\(Self.said(detail))."
        default: "\(server.capitalized) issues no certificate."
        }
    }

    /// The server's own words, at the end of a sentence.
    private static func said(_ detail: String) -> String {
        detail.isEmpty ? "" : " (it says: \(shown(detail, limit: 300)))"
    }

    /// A foreign name without anything that is not printable.
    private static func word(_ text: String) -> String { String(shown(text, limit: 253).dropFirst().dropLast()) }

    private static func words(_ text: String) -> String { String(shown(text, limit: 200).dropFirst().dropLast()) }

    private static func time(_ instant: Instant) -> String {
        String(RFC3339.text(of: instant, fractionDigits: 1).prefix(16)).replacing("T", with: " ") + " UTC"
    }
}

extension String {
    /// The text with its first letter in upper case.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
