import CommandLineClient
import CommandLineTools
import Foundation
import HubAccounts
import HubCrypto
import HubEngine
import HubStore
import HubWire

/// `callhub link`: manages guest links, each of which lets guests call one handle until it expires.
package enum LinkCommand {
    static let name = Option("--name", value: "NAME", help: "create: the name of the guest that the callee is shown")
    static let guestNames = Option(
        "--guest-names",
        help: "create: ask each guest for a name, which the callee is shown in place of NAME"
    )
    static let hours = Option("--hours", value: "N", help: "create: the link's lifetime in hours; default 24")
    static let until = Option(
        "--until",
        value: "DATE",
        help: "create: its expiry, 2026-12-24 (the end of that day) or 2026-12-24T18:00:00+01:00;\nat most a year"
    )
    static let url = Option(
        "--url",
        value: "URL",
        help: "create: the URL of the hub's web page; default: the one that the hub of DIR has had last, or\n"
            + "http://localhost:8080"
    )
    static let json = Option(Command.json.name, help: "list: an array of objects, for programs")
    static let options = [name, guestNames, hours, until, url, json] + StoreLocation.options

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["create", "list", "revoke"]
        switch Command.choose("link", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("link \(verb)", rest, options: options, usage: usage) { given in
                switch verb {
                case "create": try create(given)
                case "list": try list(given)
                default: try revoke(given)
                }
            }
        }
    }

    private static func create(_ given: Arguments) throws {
        let callee = try Handle(text: try given.words("HANDLE", after: "link create")[0])
        let location = try StoreLocation(given)
        let page = try location.page(given, url)
        let name = given[name]
        if let name, name.isEmpty || !name.isValidDisplayName || !name.unicodeScalars.allSatisfy(isVisible) {
            let requirement = "it must have 1 to 256 bytes and no control or invisible characters"
            throw UsageError("--name is \(quoted(name)); \(requirement).")
        }
        let now = Date()
        let end = try end(given, from: now)
        let stored = try location.use { try $0.secret(InvitationTokens.secret, orGenerate: InvitationTokens.freshKey) }
        guard let key = InvitationTokens.key(stored), let id = InvitationID(UUID().uuidString.lowercased()),
            let token = InvitationTokens.token(
                id,
                for: TokenClaims.Handle(callee),
                name: name,
                guestsGiveNames: given.has(guestNames),
                until: end,
                at: now,
                key
            )
        else {
            throw CommandFailure(2, "the key in the database is invalid; `callhub link revoke` creates a new one.")
        }
        let storedInvitation = StoredInvitation(
            id: id,
            for: .calls(StoredInvitation.GuestCalls(to: callee, name: name, guestsGiveNames: given.has(guestNames))),
            createdAt: Instant(now),
            expiresAt: Instant(end)
        )
        try location.use { file in
            try file.audited("link.create", on: id.text, "guest, to \(callee.typedText)") { () throws(StoreError) in
                try file.add(storedInvitation)
            }
        }
        try Command.print(CallLink(page: page, callee: callee, token: token).text + "\n")
        Console.err("Anyone with this link may call \(visible(callee.text)) until \(localTime(Instant(end))).\n")
        Console.err("`callhub link revoke \(id)` revokes it.\n")
        guard try !location.use({ try $0.isAssigned(callee) }) else { return }
        Console.err("No account has this handle yet; the link calls the account that will have it.\n")
    }

    // MARK: Expiry

    /// Returns the expiry by `--hours` or `--until`.
    static func end(_ given: Arguments, from now: Date, usualHours: Double = 24) throws(UsageError) -> Date {
        guard let text = given[until] else {
            let hours = try given.number(hours, in: 0.01...Double(maximumLifetimeDays * 24)) ?? usualHours
            return now.addingTimeInterval(hours * 3_600)
        }
        guard !given.has(hours) else { throw UsageError("--hours and --until exclude each other; give one of them.") }
        guard let end = date(text) else {
            throw UsageError("--until is \(quoted(text)); it must be like 2026-12-24 or 2026-12-24T18:00:00+01:00.")
        }
        guard end > now, end <= now.addingTimeInterval(Double(maximumLifetimeDays) * 86_400) else {
            throw UsageError("--until is \(quoted(text)); it must be in the future, and at most a year from now.")
        }
        return end
    }

    /// Parses an RFC 3339 time, or a day, of which it returns the end in the local time zone.
    private static func date(_ text: String) -> Date? {
        if let instant = RFC3339.instant(from: text) {
            return Date(timeIntervalSince1970: Double(instant.nanoseconds / 1_000_000_000))
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 3, parts[0] >= 1970, text.utf8.count == 10 else { return nil }
        let day = DateComponents(year: parts[0], month: parts[1], day: parts[2])
        let calendar = Calendar(identifier: .gregorian)
        guard day.isValidDate(in: calendar), let start = calendar.date(from: day) else { return nil }
        return calendar.date(byAdding: .day, value: 1, to: start)
    }

    /// The maximum lifetime of a link in days; the hub signs no token for longer.
    static let maximumLifetimeDays = 366

    private static let usage = """
        Usage: callhub link create HANDLE [--name NAME] [--guest-names] [--hours N | --until DATE] [--url URL]
               callhub link list [--json]
               callhub link revoke [ID | URL]

        A guest link lets anyone who has it call one handle, and no other, until it expires or is revoked. Each client
        that opens it is a separate guest, whatever the hub's auth.mode is. `callhub invite guest` makes shorter links,
        with a QR code. `list` shows the links and their IDs. `revoke` revokes the link with the given ID or URL, or all
        links if none is given, and ends the sessions of their guests; a running hub applies it within about a second.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the database cannot be used.

        Examples:
          callhub link create bob --name "Visitor" --hours 2 --url https://hub.example.com
          callhub phone --link 'https://hub.example.com/#call=bob&token=…'
          callhub link list
          callhub link revoke 3f1c2a9e-0d6b-4b57-9a51-6f2d8c1e7b40

        """
}

extension StoreFile {
    /// Indicates that a handle is an account's in the database, or a built-in party's.
    fileprivate func isAssigned(_ handle: Handle) throws(StoreError) -> Bool {
        if BuiltInParty(handle) != nil { return true }
        return try accounts().contains { account in account.handles.contains { $0.key == handle.key } }
    }
}
