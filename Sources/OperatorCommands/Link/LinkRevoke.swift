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
        let latestEnd = Instant(Date(timeIntervalSinceNow: Double(maximumLifetimeDays) * 86_400))
        let storedInvitation = try location.use { file in
            try file.audited("link.revoke", on: id.text) { () throws(StoreError) in
                try file.revokeInvitation(id, endingBy: latestEnd)
            }
        }
        guard storedInvitation == nil else { return try Command.print("The link \(id) is revoked.\n") }
        Console.err("No link \(id) is listed; `callhub link list` shows those that are.\n")
        Console.err("If an earlier version created it, it is revoked now.\n")
    }

    private static func revokeAll(_ given: Arguments) throws {
        let key = InvitationTokens.freshKey()
        guard !key.isEmpty else { throw CommandFailure(2, "no key can be generated; nothing was changed.") }
        try StoreLocation(given).use { file in
            try file.audited("link.revoke", on: "all") { () throws(StoreError) in
                try file.revokeInvitations(replacing: InvitationTokens.secret, by: key)
            }
        }
        try Command.print("All links created so far are revoked.\n")
    }

    /// Parses a link's identifier; a mistyped one must not be taken for that of an unlisted link.
    private static func id(_ word: String) throws(UsageError) -> InvitationID {
        let isUsual = UUID(uuidString: word) != nil || word.hasPrefix(InvitationTokens.unnamedPrefix)
        guard isUsual, let id = InvitationID(UUID(uuidString: word) == nil ? word : word.lowercased()) else {
            throw UsageError("\(quoted(word)) is not the ID of a link; `callhub link list` shows the IDs.")
        }
        return id
    }

    /// Returns the identifier of a link that is given as a URL.
    private static func id(ofLink text: String, _ location: StoreLocation) throws -> InvitationID {
        let link = try CallLink(text: text)
        let stored = try location.use { try $0.secret(InvitationTokens.secret, orGenerate: InvitationTokens.freshKey) }
        guard let claims = try? InvitationTokens.verifier(stored)?.verify(link.token, at: Date()),
            let id = InvitationTokens.id(of: link.token, claims)
        else { throw CommandFailure(2, "the link is not of this database's hub, or has ended; nothing was changed.") }
        return id
    }
}
