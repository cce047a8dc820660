import CommandLineTools
import Foundation
import HubClient
import HubEngine
import HubStore
import HubWire

/// `callhub admin audit`: prints or verifies the audit log, from the database or from a running hub.
enum AuditCommand {
    static let verify = Option("--verify", help: "audit: verify that no entry was changed, removed or moved")
    static let head = Option(
        "--head",
        value: "N:SHA256",
        help: "audit --verify: the number and SHA-256 of an entry that were noted elsewhere, which must still be there"
    )
    static let since = Option(
        "--since",
        value: "DATE",
        help: "audit: from this day or RFC 3339 time on, like 2026-12-24"
    )
    static let limit = Option("--limit", value: "N", help: "audit: the newest N entries, 1 to 100000; default 100")
    static let options = [verify, head, since, limit]

    /// Runs the command on the database of a data directory.
    static func run(_ given: Arguments, at location: StoreLocation) throws {
        let (since, limit, noted) = (try sinceDate(given), try maximum(given), try notedHead(given))
        try location.use { file in
            guard !given.has(verify) else {
                try report(try file.verifyAudit(), given)
                try noted?.verify(against: try file.auditEntries(before: noted?.bound, limit: 1).first)
                return
            }
            try show(try file.auditEntries(since: since, limit: limit), given)
        }
    }

    /// Runs the command on a running hub.
    ///
    /// - Parameters:
    ///   - given: The arguments.
    ///   - client: A client with the permission `admin`.
    /// - Throws: `UsageError` for an invalid option, `HubClientError` if the hub refuses or cannot be reached,
    ///   `CommandFailure` if the log was changed.
    static func run(_ given: Arguments, _ client: HubClient) async throws {
        let (since, limit, noted) = (try sinceDate(given), try maximum(given), try notedHead(given))
        guard !given.has(verify) else {
            try report(try await client.verifyAudit(), given)
            try noted?.verify(against: try await client.auditEntries(before: noted?.bound, limit: 1).first)
            return
        }
        try show(try await client.auditEntries(since: since, limit: limit), given)
    }

    private static func show(_ entries: [AuditEntry], _ given: Arguments) throws {
        guard !given.has(AdminCommand.json) else {
            return try Command.print(ReplyPayload.admin(.audit(entries)).json + "\n")
        }
        guard !entries.isEmpty else { return Console.err("There are no entries.\n") }
        var table = TextTable("NUMBER", "TIME", "WHO", "FROM", "ACT", "ON", "DETAIL", "RESULT")
        // The newest last, next to the prompt.
        for entry in entries.reversed() {
            table.add(
                "\(entry.number)",
                localTime(entry.at),
                entry.actor.account ?? entry.actor.user ?? "-",
                entry.actor.place,
                entry.act.name,
                entry.act.target ?? "-",
                entry.act.detail ?? "-",
                entry.reason.map { "\(entry.result.rawValue): \($0)" } ?? entry.result.rawValue
            )
        }
        try Command.print(table.text(isColoured: Terminal.hasColours))
    }

    private static func report(_ verification: AuditVerification, _ given: Arguments) throws {
        if given.has(AdminCommand.json) {
            try Command.print(ReplyPayload.admin(.auditVerified(verification)).json + "\n")
        } else if verification.fault == nil {
            guard let head = verification.head else { return try Command.print("The audit log has no entries.\n") }
            let count = verification.count == 1 ? "1 entry is" : "All \(verification.count) entries are"
            let advice = """
                To find that the newest were cut off, give --head with an entry of the hub's log (audit log entry=… sha256=…).

                """
            try Command.print(
                """
                \(count) as they were stored. The last one is \(head.number), SHA-256
                \(head.hash.hexadecimal)
                \(given.has(Self.head) ? "" : advice)
                """
            )
        }
        guard let fault = verification.fault else { return }
        throw CommandFailure(4, "the audit log was changed: \(fault).")
    }

    private static func notedHead(_ given: Arguments) throws(UsageError) -> NotedAuditHead? {
        guard let text = given[head] else { return nil }
        guard given.has(verify) else { throw UsageError("--head goes with --verify alone.") }
        return try NotedAuditHead(text)
    }

    private static func maximum(_ given: Arguments) throws(UsageError) -> Int {
        guard let text = given[limit] else { return 100 }
        guard let number = Int(text), (1...100_000).contains(number) else {
            throw UsageError("--limit is \(quoted(text)); it must be a whole number from 1 to 100000.")
        }
        return number
    }

    private static func sinceDate(_ given: Arguments) throws(UsageError) -> Instant? {
        guard let text = given[since] else { return nil }
        if let instant = RFC3339.instant(from: text) { return instant }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        let day = parts.count == 3 ? DateComponents(year: parts[0], month: parts[1], day: parts[2]) : nil
        let calendar = Calendar(identifier: .gregorian)
        guard let day, text.utf8.count == 10, day.isValidDate(in: calendar), let start = calendar.date(from: day)
        else {
            throw UsageError("--since is \(quoted(text)); it must be like 2026-12-24 or 2026-12-24T18:00:00+01:00.")
        }
        let (nanoseconds, isBeyond) = Int64(start.timeIntervalSince1970).multipliedReportingOverflow(by: 1_000_000_000)
        return Instant(nanoseconds: isBeyond ? .max : nanoseconds)
    }
}

extension AuditActor {
    /// The place that an act came from, in one column.
    fileprivate var place: String {
        switch origin {
        case .session: [device, address].compactMap(\.self).joined(separator: ", ")
        case .invitation: address ?? "invitation"
        case .provider: "OpenID provider"
        case .commandLine: "command line"
        case .signal: "signal"
        case .server: "server"
        }
    }
}
