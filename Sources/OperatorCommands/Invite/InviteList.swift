import CommandLineTools
import Foundation
import HubAccounts
import HubEngine
import HubStore
import HubWire

/// `callhub invite list`.
extension InviteCommand {
    static func list(_ given: Arguments) throws {
        _ = try given.words(after: "invite list")
        let invitations = try StoreLocation(given).use { try $0.invitations().filter(\.hasSecret) }
        let now = Instant(Date())
        guard !given.has(json) else {
            return try Command.print(jsonText(invitations.map { Listed($0, at: now) }))
        }
        var table = TextTable("ID", "KIND", "FOR", "NAME", "CALLS", "BY", "STATE", "UNTIL")
        for invitation in invitations {
            let listed = Listed(invitation, at: now)
            let count = listed.calls.map { calls in
                listed.maximumCalls.map { "\(calls) of \($0)" } ?? "\(calls)"
            }
            table.add(
                listed.id,
                listed.kind,
                listed.callee ?? listed.usedBy ?? listed.account ?? "-",
                listed.name ?? (listed.guestNames ? "give names" : "-"),
                count ?? "-",
                listed.createdBy ?? "-",
                listed.state,
                localTime(invitation.expiresAt)
            )
        }
        try Command.print(invitations.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
        if invitations.isEmpty { Console.err("There are no invitations; callhub invite account makes one.\n") }
    }

    /// An invitation as `--json` prints it.
    private struct Listed: Encodable {
        let id: String
        let kind: String
        let callee: String?
        let name: String?
        let account: String?
        let usedBy: String?
        let isAdmin: Bool
        let guestNames: Bool
        let calls: Int?
        let maximumCalls: Int?
        let createdBy: String?
        let state: String
        let createdAt: String
        let expiresAt: String
        let revokedAt: String?
        let usedAt: String?

        init(_ stored: StoredInvitation, at now: Instant) {
            let invitation = Invitation(stored)
            (id, kind, name) = (invitation.id.text, invitation.kind.rawValue, invitation.name)
            callee = invitation.handle?.typedText
            (account, usedBy, isAdmin) = (invitation.account, invitation.usedBy, invitation.isAdmin)
            (guestNames, calls, maximumCalls) = (invitation.guestNames, invitation.calls, invitation.maximumCalls)
            createdBy = invitation.createdBy
            state = stored.fault(at: now)?.rawValue ?? "valid"
            createdAt = RFC3339.text(of: invitation.createdAt)
            expiresAt = RFC3339.text(of: invitation.expiresAt)
            revokedAt = invitation.revokedAt.map { RFC3339.text(of: $0) }
            usedAt = invitation.usedAt.map { RFC3339.text(of: $0) }
        }
    }
}
