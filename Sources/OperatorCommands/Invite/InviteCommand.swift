import CommandLineClient
import CommandLineTools
import Foundation
import HubAccounts
import HubCrypto
import HubEngine
import HubStore
import HubWire

/// `callhub invite`: manages invitations, each of which lets its receiver create an account, or guests call one handle.
package enum InviteCommand {
    static let admin = Option("--admin", help: "account: the account may administer the hub")
    static let name = Option(
        "--name",
        value: "NAME",
        help: "the name of the invited person; of a guest: the name that the callee is shown"
    )
    static let guestNames = Option("--guest-names", help: "guest: ask each guest for a name, in place of NAME")
    static let calls = Option(
        "--calls",
        value: "N",
        help: "guest: the maximum number of calls, 1 to 1000; default: any"
    )
    static let hours = Option(
        "--hours",
        value: "N",
        help: "the invitation's lifetime in hours; default 168 for an account, 24 for a guest"
    )
    static let until = Option(
        "--until",
        value: "DATE",
        help: "its expiry, 2026-12-24 (the end of that day) or 2026-12-24T18:00:00+01:00;\nat most a year"
    )
    static let url = Option(
        "--url",
        value: "URL",
        help: "the URL of the hub's web page; default: the one that the hub of DIR has had last, or\n"
            + "http://localhost:8080"
    )
    static let qr = Option("--qr", help: "print the QR code although the output is no terminal")
    static let json = Option(Command.json.name, help: "list: an array of objects, for programs")
    static let options = [admin, name, guestNames, calls, hours, until, url, qr, json] + StoreLocation.options

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["owner", "account", "guest", "list", "revoke"]
        switch Command.choose("invite", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("invite \(verb)", rest, options: options, usage: usage) { given in
                switch verb {
                case "owner": try inviteOwner(given)
                case "account": try inviteToAccount(given)
                case "guest": try inviteGuest(given)
                case "list": try list(given)
                default: try revoke(given)
                }
            }
        }
    }

    private static func inviteToAccount(_ given: Arguments) throws {
        for option in [guestNames, calls] where given.has(option) {
            throw UsageError("\(option.name) is for invite guest; leave it out.")
        }
        let account = try given.words("ACCOUNT", optional: 1, after: "invite account").first.map(accountName)
        let offer = StoredInvitation.NewAccountOffer(
            role: given.has(admin) ? .administrator : .user,
            account: account,
            name: try shownName(given)
        )
        let location = try StoreLocation(given)
        if let account, location.exists,
            try location.use({ try $0.accounts() }).contains(where: { FoldedName($0.name) == FoldedName(account) })
        {
            throw CommandFailure(3, "there is an account \(quoted(account)) already; choose another name.")
        }
        let hours = Double(OperatorInvitation.usualHoursOfAccounts)
        let end = try create(for: .account(offer), given, location, usualHours: hours)
        Console.err("Whoever opens this link first creates an account by it, until \(localTime(end)).\n")
    }

    private static func inviteGuest(_ given: Arguments) throws {
        guard !given.has(admin) else { throw UsageError("--admin is for invite account; leave it out.") }
        let callee = try Handle(text: try given.words("HANDLE", after: "invite guest")[0])
        let guests = StoredInvitation.GuestCalls(
            to: callee,
            name: try shownName(given),
            guestsGiveNames: given.has(guestNames),
            maximumCalls: try maximumCalls(given)
        )
        let end = try create(for: .calls(guests), given, StoreLocation(given), usualHours: 24)
        Console.err("Anyone with this link may call \(visible(callee.text)) until \(localTime(end)).\n")
    }

    /// Stores an invitation, and prints its link, with a QR code on a terminal.
    ///
    /// - Returns: The expiry.
    private static func create(
        for purpose: StoredInvitation.Purpose,
        _ given: Arguments,
        _ location: StoreLocation,
        usualHours: Double
    ) throws -> Instant {
        let page = try location.page(given, url)
        let end = Instant(try LinkCommand.end(given, from: Date(), usualHours: usualHours))
        let invitation = try location.use(creatingIfMissing: true) { file in
            try OperatorInvitation(for: purpose, until: end, by: .commandLine, in: file)
        }
        let link = invitation.secret.link(to: page)
        try Command.print(link + "\n" + Terminal.qrCode(link, isForced: given.has(qr)))
        Console.err("`callhub invite revoke \(invitation.id)` revokes it.\n")
        return end
    }

    private static func maximumCalls(_ given: Arguments) throws(UsageError) -> Int? {
        guard let text = given[calls] else { return nil }
        guard let number = Int(text), (1...1_000).contains(number) else {
            throw UsageError("--calls is \(quoted(text)); it must be a whole number from 1 to 1000.")
        }
        return number
    }

    private static func shownName(_ given: Arguments) throws(UsageError) -> String? {
        guard let name = given[name] else { return nil }
        guard name.isGuestName, name.unicodeScalars.allSatisfy(isVisible) else {
            let requirement = "it must have 1 to 256 bytes and no control or invisible characters"
            throw UsageError("--name is \(quoted(name)); \(requirement).")
        }
        return name
    }

    private static func revoke(_ given: Arguments) throws {
        let word = try given.words("ID", after: "invite revoke")[0]
        let revoked = try StoreLocation(given).use { file -> StoredInvitation? in
            guard let id = InvitationID(word), try file.invitations().contains(where: { $0.id == id }) else {
                return nil
            }
            return try file.audited("invitation.revoke", on: id.text) { () throws(StoreError) in
                try file.revokeInvitation(id, createdBy: nil)
            }
        }
        guard revoked != nil else {
            throw CommandFailure(
                3,
                "there is no invitation \(quoted(word)); `callhub invite list` shows those there are."
            )
        }
        try Command.print("The invitation \(visible(word)) is revoked.\n")
    }

    private static let usage = """
        Usage: callhub invite owner [--url URL] [--qr]
               callhub invite account [ACCOUNT] [--admin] [--name NAME] [--hours N | --until DATE] [--url URL] [--qr]
               callhub invite guest HANDLE [--name NAME] [--guest-names] [--calls N] [--hours N | --until DATE]
                                    [--url URL] [--qr]
               callhub invite list [--json]
               callhub invite revoke ID

        An invitation is a short link, printed with a QR code on a terminal that is wide enough. The owner's is for the
        first account of a hub, which administers it; a new one replaces the one before. One for an account can be used
        once: who opens it chooses the account's name (ACCOUNT is a suggestion) and password. One for a guest lets
        anyone who has it call HANDLE, and no other. The link is shown once; the database has a hash of its secret. A
        running hub applies everything within about a second; guests' sessions end when their invitation is revoked.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the database cannot be used; 3 the account exists already, the
        hub has accounts and needs no owner, or there is no such invitation.

        Examples:
          sudo callhub invite owner --data /var/lib/callhub
          callhub invite account --name "Bob Miller" --url https://hub.example.com
          callhub invite guest bob --calls 1 --hours 2 --url https://hub.example.com
          callhub invite list
          callhub invite revoke 3f1c2a9e-0d6b-4b57-9a51-6f2d8c1e7b40

        """
}
