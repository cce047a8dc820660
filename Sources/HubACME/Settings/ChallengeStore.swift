import Synchronization

/// The answers to the challenges that a server is about to validate; empty at all other times.
///
/// Safe on any thread.
public final class ChallengeStore: Sendable {
    private struct Answers {
        var texts: [String: String] = [:]
        var certificates: [String: (certificate: String, key: String)] = [:]
    }

    private let answers = Mutex(Answers())

    /// Makes an empty store.
    public init() {}

    /// Returns the body for `/.well-known/acme-challenge/TOKEN`; nil: the answer is 404.
    public func httpAnswer(forToken token: String) -> String? { answers.withLock { $0.texts[token] } }

    /// Looks up the answer to a handshake with the protocol `acme-tls/1`.
    ///
    /// - Parameter name: The server name of the handshake, in any case.
    /// - Returns: The certificate and key in PEM; nil: the handshake is refused.
    public func alpnCertificate(forName name: String) -> (certificate: String, key: String)? {
        answers.withLock { $0.certificates[name.lowercased()] }
    }

    /// Indicates that a handshake with the protocol `acme-tls/1` may come.
    public var hasCertificates: Bool { answers.withLock { !$0.certificates.isEmpty } }

    func publish(_ text: String, forToken token: String) { answers.withLock { $0.texts[token] = text } }

    func publish(_ pair: (certificate: String, key: String), forName name: String) {
        answers.withLock { $0.certificates[name.lowercased()] = pair }
    }

    func removeAll() { answers.withLock { $0 = Answers() } }
}
