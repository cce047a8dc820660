import Foundation
import HubConfiguration
import HubServer
import HubStore
import HubTestSupport
import Testing

@testable import HubAccounts

/// The schedule of the nightly backup.
struct BackupScheduleTests {
    private func schedule(_ hour: Int, _ zone: String = "Europe/Berlin") throws -> BackupSchedule {
        var schedule = BackupSchedule(hour: hour)
        schedule.calendar.timeZone = try #require(TimeZone(identifier: zone))
        return schedule
    }

    private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    @Test(
        arguments: [
            // Without a backup, at once.
            (3, "2026-11-24T12:00:00Z", nil, true),
            // From the hour of the local time on, once.
            (3, "2026-11-24T01:59:59Z", "2026-11-23T02:00:00Z", false),
            (3, "2026-11-24T02:00:00Z", "2026-11-23T02:00:00Z", true),
            (3, "2026-11-24T02:00:30Z", "2026-11-24T02:00:00Z", false),
            (0, "2026-11-23T22:59:59Z", "2026-11-22T23:00:00Z", false),
            (0, "2026-11-23T23:00:00Z", "2026-11-22T23:00:00Z", true),
            (23, "2026-11-24T21:59:59Z", "2026-11-23T22:00:00Z", false),
            (23, "2026-11-24T22:00:00Z", "2026-11-23T22:00:00Z", true),
            // A night that was missed is made up for.
            (3, "2026-11-24T09:00:00Z", "2026-11-23T11:00:00Z", true),
            // 02:30 does not exist on the day of summer time, 2 h is skipped; in autumn it comes twice.
            (2, "2026-03-29T00:59:59Z", "2026-03-28T01:00:00Z", false),
            (2, "2026-03-29T01:00:00Z", "2026-03-28T01:00:00Z", true),
            (2, "2026-10-25T01:30:00Z", "2026-10-25T00:00:00Z", false),
        ] as [(Int, String, String?, Bool)]
    )
    func `a backup is due once a day, at the hour`(hour: Int, now: String, newest: String?, isDue: Bool) throws {
        let newest = try newest.map { try date($0) }
        #expect(try schedule(hour).isDue(at: date(now), newest: newest) == isDue)
    }
}

/// The nightly backup of a hub.
struct NightlyBackupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A clock that a test sets.
    private final class TestClock: @unchecked Sendable {
        private let lock = NSLock()
        private var value = Date(timeIntervalSince1970: 1_795_485_600)
        var now: Date { lock.withLock { value } }
        func advance(_ seconds: Double) { lock.withLock { value += seconds } }
    }

    /// The lines of a log.
    private final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private var lines: [String] = []
        var log: HubLog {
            var settings = LogSettings()
            settings.write = { line in self.lock.withLock { self.lines.append(line) } }
            return HubLog(settings: settings)
        }
        func count(_ words: String) -> Int { lock.withLock { lines.count { $0.contains(words) } } }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/backups")) ?? []).sorted()
    }

    private func backup(_ clock: TestClock, _ lines: Lines, keep: Int = 7) -> NightlyBackup {
        var settings = BackupSettings()
        settings.keep = keep
        let path = folder.path + "/hub.db"
        return NightlyBackup(
            settings,
            in: BackupFolder(folder.path + "/backups", node: "one"),
            lines.log,
            clock: { clock.now },
            copy: { target throws(StoreError) in try StoreFile(path).backup(to: target) }
        )
    }

    @Test func `a backup is made each day, and the oldest are removed`() throws {
        let (clock, lines) = (TestClock(), Lines())
        let backup = backup(clock, lines, keep: 2)
        for day in 1...4 {
            backup.makeIfDue()
            backup.makeIfDue()
            #expect(backup.statistics.completed == day)
            #expect(backup.statistics.newest == Int64(clock.now.timeIntervalSince1970))
            clock.advance(86_400)
        }
        #expect(names == ["backup-one-20261126T020000Z.db", "backup-one-20261127T020000Z.db"])
        #expect(backup.statistics.lastBytes > 10_000 && backup.statistics.failures == 0)
        #expect(lines.count("info backup complete") == 4 && lines.count("info backup removed") == 2)
        // A hub that starts again knows the backups of the one before.
        let next = self.backup(clock, lines)
        #expect(next.statistics.newest == 1_795_485_600 + 3 * 86_400)
    }

    @Test func `a failed backup is logged as an error, counted, and tried again in an hour`() throws {
        let (clock, lines) = (TestClock(), Lines())
        let blocker = try folder.write("a file in the way", to: "backups")
        let backup = backup(clock, lines)
        backup.makeIfDue()
        clock.advance(3_599)
        backup.makeIfDue()
        #expect(lines.count("error backup failed; it is tried again in an hour") == 1)
        clock.advance(1)
        backup.makeIfDue()
        #expect(backup.statistics.failures == 2 && backup.statistics.completed == 0 && backup.statistics.newest == 0)
        // A clock that is set back to where it was right does not delay the next attempt.
        clock.advance(-30 * 86_400)
        try FileManager.default.removeItem(atPath: blocker)
        backup.makeIfDue()
        #expect(backup.statistics.completed == 1)
        #expect(names.count == 1)
    }

    @Test func `a hub with the setting makes its first backup at once, and reports it in its metrics`() async throws {
        var settings = ServeSettings()
        settings.hub.transport.host = "127.0.0.1"
        settings.hub.transport.port = 0
        settings.hub.metrics.cacheLife = .zero
        settings.backup.folder = folder.path + "/backups"
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        settings.hub.log.write = { continuation.yield($0) }
        try settings.resolve(dataDirectory: folder.path + "/data")
        let hub = try await blocking { [settings] in try ConfiguredHub.start(settings) }
        let line = await lines.first { $0.contains("backup ") && !$0.contains("listening") }
        #expect(line?.contains("info backup complete") == true, "\(line ?? "")")
        #expect(names.count == 1 && names[0].hasPrefix("backup-callhub-"))
        #expect(try StoreFile(folder.path + "/backups/" + names[0]).load().accounts.isEmpty)
        let page = try HTTPReply.fetch("GET", "/metrics", port: hub.server.port).body
        let text = String(decoding: page, as: UTF8.self)
        #expect(text.contains("\ncallhub_backup_completed_total 1\n"))
        #expect(text.contains("\ncallhub_backup_failures_total 0\n"))
        #expect(!text.contains("\ncallhub_backup_last_success_timestamp_seconds 0\n"))
        hub.server.stop()
        try await blocking { hub.waitUntilStopped() }
    }

    @Test func `a backup of a database in memory is refused at the start`() throws {
        var settings = ServeSettings()
        settings.backup.folder = folder.path
        settings.storagePath = ":memory:"
        let error = #expect(throws: SettingsError.self) { try settings.check() }
        #expect(error?.faults.first?.contains("needs a database on the disk") == true)
    }
}
