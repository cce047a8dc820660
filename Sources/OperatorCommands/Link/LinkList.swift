import CommandLineTools
import Foundation
import HubEngine
import HubStore
import HubWire

/// `callhub link list`.
extension LinkCommand {
    static func list(_ given: Arguments) throws {
        _ = try given.words(after: "link list")
        let invitations = try StoreLocation(given).use { try $0.invitations().filter { !$0.hasSecret } }
        guard !given.has(Command.json) else { return try Command.print(jsonText(invitations.map(Listed.init))) }
        var table = TextTable("ID", "CALLS", "NAME", "GUESTS", "STATE", "UNTIL")
        let now = wallClock()
        for link in invitations {
            table.add(
                link.id.text,
                link.guestCalls?.callee?.typedText ?? "-",
                link.guestCalls?.name ?? "-",
                link.guestCalls?.guestsGiveNames == true ? "give names" : "-",
                link.state(at: now).rawValue,
                localTime(link.expiresAt)
            )
        }
        try Command.print(invitations.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
        if invitations.isEmpty { Console.err("There are no links; callhub link create HANDLE makes one.\n") }
    }

    /// A link as `--json` prints it.
    private struct Listed: Encodable {
        let id: String
        let callee: String?
        let name: String?
        let guestNames: Bool
        let state: String
        let createdAt: String
        let expiresAt: String
        let revokedAt: String?

        init(_ link: StoredInvitation) {
            id = link.id.text
            callee = link.guestCalls?.callee?.typedText
            name = link.guestCalls?.name
            guestNames = link.guestCalls?.guestsGiveNames ?? false
            state = link.state(at: wallClock()).rawValue
            createdAt = RFC3339.text(of: link.createdAt)
            expiresAt = RFC3339.text(of: link.expiresAt)
            revokedAt = link.revokedAt.map { RFC3339.text(of: $0) }
        }
    }

    private static func wallClock() -> Instant { Instant(Date()) }
}

extension StoredInvitation {
    /// The state of a link.
    fileprivate enum State: String {
        /// Guests can sign in with the link.
        case valid
        /// The link has expired.
        case expired
        /// The link was revoked.
        case revoked
    }

    fileprivate func state(at now: Instant) -> State {
        revokedAt == nil ? expiresAt > now ? .valid : .expired : .revoked
    }
}

extension Instant {
    /// Converts a date, truncated to the second.
    init(_ date: Date) {
        self.init(nanoseconds: Int64(clamping: Int(date.timeIntervalSince1970)) &* 1_000_000_000)
    }
}
