import HubCrypto
import HubStore

/// A reason for which a sign-in by an OpenID provider has failed.
///
/// Its word is in the fragment of the phone's address, and the phone has a sentence for each in the user's language.
enum OpenIDFault: Error, Hashable, Sendable {
    /// The provider was not reached, or has not answered in time.
    case unreachable(String)
    /// The provider's answer is none of OpenID Connect, with a reason for the log.
    case badAnswer(String)
    /// The user, or the provider's rules, did not allow it.
    case denied
    /// The provider reports an error, with its word.
    case refused(String)
    /// The hub knows no such sign-in: it took too long, was completed already, or was never begun.
    case expired
    /// The sign-in was begun in another browser.
    case otherBrowser
    /// The ID token is not accepted, or the answer is of another issuer, with a reason for the log.
    case token(String)
    /// The ID token is not valid at this time by the hub's clock.
    case clock(String)
    /// The provider has not authenticated the user for this sign-in, as it was asked to, with a reason for the log.
    case notFresh(String)
    /// The provider sends no such claim.
    case claimMissing(String)
    /// The claim is no valid account name.
    case claimInvalid(String)
    /// The provider has not verified the user's e-mail address.
    case emailUnverified
    /// The identity has no account here.
    case identity(IdentityFault)
    /// The hub has too many sign-ins under way.
    case busy
    /// The database cannot be used now.
    case store

    /// The word in the fragment.
    var word: String {
        switch self {
        case .unreachable: "unreachable"
        case .badAnswer, .refused: "provider"
        case .denied: "denied"
        case .expired: "expired"
        case .otherBrowser: "otherBrowser"
        case .token: "token"
        case .clock: "clock"
        case .notFresh: "notFresh"
        case .claimMissing: "claimMissing"
        case .claimInvalid: "claimInvalid"
        case .emailUnverified: "emailUnverified"
        case .identity(.nameTaken): "nameTaken"
        case .identity(.unknown): "noAccount"
        case .identity(.disabled): "disabled"
        case .busy: "busy"
        case .store: "store"
        }
    }

    /// The reason for the log; nothing of it is secret.
    var reason: String {
        switch self {
        case .unreachable(let reason): "the provider cannot be reached: \(reason)"
        case .badAnswer(let reason): "the provider's answer is wrong: \(reason)"
        case .refused(let word): "the provider refuses: \(word)"
        case .denied: "the user or the provider did not allow it"
        case .expired: "no such sign-in is under way; it took too long, or was completed already"
        case .otherBrowser: "it was begun in another browser"
        case .token(let reason), .clock(let reason), .notFresh(let reason): reason
        case .claimMissing(let claim): "the provider sends no claim \(claim)"
        case .claimInvalid(let claim): "the claim \(claim) is no valid account name"
        case .emailUnverified: "the provider has not verified the e-mail address"
        case .identity(.nameTaken): "the account name is taken; callhub account link links the user to it"
        case .identity(.unknown): "no account is linked to the user; callhub account link does"
        case .identity(.disabled): "the account is disabled or removed"
        case .busy: "too many sign-ins are under way"
        case .store: "the database cannot be used"
        }
    }
}

extension OpenIDFault {
    /// Converts the refusal of an ID token.
    init(_ error: TokenError) {
        switch error {
        case .expired, .notYetValid, .issuedInFuture: self = .clock(error.description)
        default: self = .token(error.description)
        }
    }
}
