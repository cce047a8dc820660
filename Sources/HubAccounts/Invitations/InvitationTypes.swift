import Foundation
import HubEngine
import HubServer
package import HubStore
package import HubWire

extension InvitationKind {
    /// The kind of a stored invitation.
    package init(_ invitation: StoredInvitation) {
        self =
            switch invitation.purpose {
            case .calls: .guest
            case .account(let offer): offer.role == .owner ? .owner : .account
            case .reset: .reset
            }
    }
}

extension Invitation {
    /// Converts a stored invitation for a list.
    package init(_ stored: StoredInvitation) {
        self.init(
            id: stored.id,
            kind: InvitationKind(stored),
            createdAt: stored.createdAt,
            expiresAt: stored.expiresAt
        )
        (createdBy, revokedAt) = (stored.createdBy, stored.revokedAt)
        switch stored.purpose {
        case .calls(let guests):
            (handle, name, guestNames) = (guests.callee, guests.name, guests.guestsGiveNames)
            (calls, maximumCalls) = (guests.calls, guests.maximumCalls)
        case .account(let offer):
            (name, isAdmin, usedAt) = (offer.name, offer.role != .user, offer.usedAt)
            if offer.usedAt == nil { account = offer.account } else { usedBy = offer.account }
        case .reset(let reset): (account, usedAt) = (reset.account, reset.usedAt)
        }
    }
}

extension InvitationOffer {
    /// Converts a stored invitation for its receiver.
    ///
    /// - Parameters:
    ///   - stored: The invitation.
    ///   - name: The name of the user who invites; nil: an operator.
    init(_ stored: StoredInvitation, from name: String?) {
        self.init(InvitationKind(stored), expiresAt: stored.expiresAt)
        from = name
        switch stored.purpose {
        case .calls(let guests):
            (handle, self.name, asksName) = (guests.callee, guests.name, guests.guestsGiveNames)
            callsLeft = guests.maximumCalls.map { max(0, $0 - guests.calls) }
        case .account(let offer): (account, self.name) = (offer.account, offer.name)
        case .reset(let reset): account = reset.account
        }
    }
}

extension AuthenticatedIdentity {
    /// Creates the identity of a guest, with a new account each time; nil: the invitation is for an account.
    init?(guestOf invitation: StoredInvitation) {
        guard let guests = invitation.guestCalls, let callee = guests.callee else { return nil }
        let account = "guest-" + String(UInt64.random(in: .min ... .max), radix: 16)
        self.init(account: account, handles: [.generic(account)], permissions: [.call])
        displayName = guests.name
        isListedByDefault = false
        expiresAt = invitation.expiresAt
        onlyCallee = callee
        self.invitation = invitation.id
        mayGiveName = guests.guestsGiveNames
    }
}

extension WireError {
    /// Converts a failure of the store.
    init(_ failure: StoreError) {
        switch failure.kind {
        case .accountExists, .handleTaken, .lastAdministrator, .noSuchAccount: self.init(.conflict, failure.message)
        case .invalidArgument: self.init(.general(.invalidArgument), failure.message)
        default: self.init(.storeFailed, failure.message, retryAfterSeconds: 5)
        }
    }

    /// An error of a parameter with an invalid value.
    static func invalid(_ message: String) -> WireError { WireError(.general(.invalidArgument), message) }

    /// The error of a name that no new account may have; nil: it may.
    init?(faultOf account: String) {
        let requirement: String
        if !account.isAccountName {
            requirement =
                "must have 1 to \(maximumAccountNameBytes) bytes, no control or invisible characters, no spaces around it or two in a row"
        } else if account.lowercased().hasPrefix("guest-") {
            requirement = "begins with guest-, as guests' names do; choose another name"
        } else if BuiltInParty(named: account) != nil {
            requirement = "is a party of the hub's own; choose another name"
        } else {
            return nil
        }
        self.init(.general(.invalidArgument), "params.account \(requirement)", reason: "accountInvalid")
    }
}

extension Instant {
    /// The time by the wall clock, to the millisecond.
    static var now: Instant {
        Instant(nanoseconds: Int64(clamping: Int(Date().timeIntervalSince1970 * 1_000)) &* 1_000_000)
    }
}
