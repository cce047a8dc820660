import CommandLineTools
import Foundation
import HubAccounts
import HubConfiguration
import HubCrypto
import HubWire

/// `callhub invite owner`.
extension InviteCommand {
    static func inviteOwner(_ given: Arguments) throws {
        _ = try given.words(after: "invite owner")
        for option in [admin, name, guestNames, calls, hours, until] where given.has(option) {
            throw UsageError("\(option.name) is not for invite owner; leave it out.")
        }
        let location = try StoreLocation(given)
        let page = try location.page(given, url)
        guard let invitation = try location.use({ try OwnerInvitation(by: .commandLine, in: $0) }) else {
            throw CommandFailure(
                3,
                "this server has accounts, so that it needs no owner; `callhub account list` shows them, and `callhub "
                    + "invite account --admin` invites an administrator."
            )
        }
        let link = invitation.secret.link(to: page)
        try Command.print(link + "\n" + Terminal.qrCode(link, isForced: given.has(qr)))
        Console.err(
            "Whoever opens this link first, within \(OwnerInvitation.hours) hours, administers the server; a new link "
                + "replaces it.\n"
        )
    }

    /// The link for the owner of a hub, which replaces the one before.
    package struct OwnerLink {
        package let link: String
    }

    /// Creates the link for the owner of the hub in a data directory.
    ///
    /// - Parameter directory: The path of the data directory.
    /// - Returns: The link; nil: the hub has accounts.
    /// - Throws: `CommandFailure` if the database cannot be used.
    package static func ownerLink(in directory: String) throws -> OwnerLink? {
        let location = StoreLocation(directory: directory)
        let page = PageAddress.read(in: directory)?.url ?? StoreLocation.usualPage
        let invitation = try location.use { try OwnerInvitation(by: .commandLine, in: $0) }
        return invitation.map { OwnerLink(link: $0.secret.link(to: page)) }
    }
}
