import CommandLineClient
import CommandLineTools
import Foundation
import HubAccounts
import HubCrypto
import HubEngine
import HubStore
import HubWire

/// `callhub link revoke`.
extension LinkCommand {
    static func revoke(_ given: Arguments) throws {
        guard let word = try given.words("ID", optional: 1, after: "link revoke").first else {
            return try revokeAll(given)
        }
        let location = try StoreLocation(given)
        let id = try word.contains("#") ? id(ofLink: word, location) : id(word)
        let latestEnd = Instant(Date(timeIntervalSinceNow: Double(longestDays) * 86_400))
        let listed = try location.use { try $0.revokeInvitation(id, endingBy: latestEnd) }
        try Command.print("The link \(id) is over.\n")
        guard listed == nil else { return }
        Console.err("It is not listed; if it was made by an earlier version, it is over all the same.\n")
    }

    private static func revokeAll(_ given: Arguments) throws {
        let key = GuestLink.freshKey()
        guard !key.isEmpty else { throw CommandFailure(2, "no key can be made now; nothing was changed.") }
        try StoreLocation(given).use { try $0.revokeInvitations(replacing: GuestLink.secret, by: key) }
        try Command.print("All links that were made so far are over.\n")
    }

    /// Parses a link's identifier; a mistyped one must not be taken for that of an unlisted link.
    private static func id(_ word: String) throws(UsageError) -> InvitationID {
        let isUsual = UUID(uuidString: word) != nil || word.hasPrefix(GuestLink.unnamedPrefix)
        guard isUsual, let id = InvitationID(UUID(uuidString: word) == nil ? word : word.lowercased()) else {
            throw UsageError("\(quoted(word)) is no link's ID; `callhub link list` shows those that there are.")
        }
        return id
    }

    /// Returns the identifier of a link that is given as a URL.
    private static func id(ofLink text: String, _ location: StoreLocation) throws -> InvitationID {
        let link = try CallLink(text: text)
        let stored = try location.use { try $0.secret(GuestLink.secret, orMake: GuestLink.freshKey) }
        guard let claims = try? GuestLink.verifier(stored)?.verify(link.token, at: Date()),
            let id = GuestLink.id(of: link.token, claims)
        else { throw CommandFailure(2, "the link is not of this database's hub, or it is over; nothing was changed.") }
        return id
    }
}
