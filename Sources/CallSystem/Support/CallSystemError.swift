import HubClient
import HubEngine
package import HubWire

/// The reason why the call system has refused or could not carry out a request.
///
/// Its domain and code are those of CallKit; the sentence says what is wrong and what would be right.
public struct CallSystemError: Error, Hashable, Sendable {
    /// The CallKit domain.
    package var domain: ErrorCode.Domain
    /// The code within the domain.
    public var code: Int
    /// One sentence for developers.
    public var message: String

    /// Creates an error of a domain.
    package init(_ domain: ErrorCode.Domain, _ code: Int, _ message: String) {
        (self.domain, self.code, self.message) = (domain, code, message)
    }

    /// Creates an error of a transaction.
    init(_ code: Refusal.RequestTransactionCode, _ message: String) {
        self.init(.requestTransaction, code.rawValue, message)
    }

    /// Converts an error of the hub, which for a request of `domain` may be one that CallKit has no code for.
    init(_ error: HubClientError, in domain: ErrorCode.Domain) {
        switch error {
        case .refused(let refusal), .signInRefused(let refusal):
            if let own = refusal.code.domain, let code = refusal.code.domainCode {
                self.init(own, code, refusal.message)
            } else {
                let isForbidden = [401, 403].contains(refusal.code.number)
                self.init(domain, isForbidden ? Self.unentitled : Self.unknown, refusal.message)
            }
        case .invalidAddress, .unreachable, .notConnected, .connectionLost, .endedByHub, .closed, .unavailable:
            let isTransaction = domain == .requestTransaction
            let noProvider = Refusal.RequestTransactionCode.unknownCallProvider.rawValue
            self.init(domain, isTransaction ? noProvider : Self.unknown, error.description)
        default:
            self.init(domain, Self.unknown, error.description)
        }
    }

    // The same in every domain that a request of an app is refused in.
    private static let unknown = 0
    private static let unentitled = 1
}

extension CallSystemError: CustomStringConvertible {
    /// The sentence, and the code.
    public var description: String { "\(message) (\(domain.identifier) \(code))" }
}
