import Foundation
import HubServer
import HubTestSupport
import Testing

@testable import HubReplay

/// Tests of a running hub that writes an event log, and of the log's replay.
struct RecordedHubTests {
    private typealias Object = RawPhone.Object

    private static func hub(recordingTo path: String) throws -> HubServer {
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .error
        settings.eventsFile = path
        return try HubServer.start(settings)
    }

    /// Returns the notifications that a replay sends to a device, as JSON without their sequence numbers.
    private static func told(_ device: String, in replay: String) throws -> [NSDictionary] {
        var told: [NSDictionary] = []
        for line in replay.split(separator: "\n") {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object
            for effect in event?["told"] as? [Object] ?? [] where effect["to"] as? String == device {
                guard let method = effect["method"] else { continue }
                told.append(["method": method, "params": effect["params"] ?? ""])
            }
        }
        return told
    }

    /// Returns the engine's notifications that a phone received, without their sequence numbers.
    ///
    /// Notifications about the connection and about the account's stored data do not come from the engine.
    private static func received(_ phone: RawPhone) -> [NSDictionary] {
        phone.notifications.compactMap { notification in
            guard let method = notification["method"] as? String,
                !["session.closing", "recents.changed"].contains(method)
            else { return nil }
            var params = notification["params"] as? Object ?? [:]
            params["seq"] = nil
            return ["method": method, "params": params]
        }
    }

    @Test func `replaying a call over real sockets gives each phone's notifications, and the log holds no secret`()
        async throws
    {
        try await blocking {
            let folder = try TemporaryFolder()
            let path = folder.path + "/events.jsonl"
            let hub = try Self.hub(recordingTo: path)
            let uuid = UUID().uuidString.lowercased()
            let alice = try RawPhone(port: hub.port)
            try alice.open(
                ["account": "alice", "password": "open-sesame", "token": "s3cret", "device": ["id": "phone"]]
            )
            let bob = try RawPhone(
                port: hub.port,
                account: "bob",
                ["device": ["id": "desk", "name": "Bob's \"desk\""], "fulfillment": "manual"]
            )
            let secrets = [alice, bob].compactMap { $0.session["resumeToken"] as? String }
            try #require(secrets.count == 2)
            let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"]]
            try alice.ask("transaction.request", ["actions": [start]])
            let incoming = try bob.next("call.changed").call["uuid"] as? String ?? ""
            try bob.ask("transaction.request", ["actions": [["type": "answer", "callUUID": incoming]]])
            let answer = try bob.next("provider.perform")["action"] as? Object
            try bob.ask("action.fulfill", ["action": answer?["uuid"] ?? "", "date": "2026-01-01T00:00:00.123456789Z"])
            try alice.next("audio.sources")
            try alice.resume()
            let mute: Object = ["type": "setMuted", "callUUID": uuid, "isMuted": true]
            try alice.ask("transaction.request", ["actions": [mute, ["type": "playDTMF", "callUUID": uuid]]])
            try alice.ask("transaction.request", ["actions": [["type": "end", "callUUID": uuid]]])
            try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            for phone in [alice, bob] {
                try phone.ask("session.close")
                _ = try phone.readToEnd()
            }
            hub.drain()
            hub.waitUntilStopped()

            let recording = try String(contentsOfFile: path, encoding: .utf8)
            for secret in secrets + ["open-sesame", "s3cret", "resumeToken", "password"] {
                #expect(!recording.contains(secret))
            }
            var replay = ""
            #expect(try ReplayCommand.replay(path, json: true, device: nil) { replay += $0 } == 0)
            for (device, phone) in [("alice/phone", alice), ("bob/desk", bob)] {
                let (told, received) = (try Self.told(device, in: replay), Self.received(phone))
                #expect(told.count == received.count && told.count > 8)
                for (told, received) in zip(told, received) { #expect(told == received, "\(device)") }
            }
            #expect(replay.contains(#""devices":["alice/phone","bob/desk"],"violations":0,"isCutOff":false"#))
        }
    }

    @Test func `with a folder each run gets its own event log, which only its user can read`() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let hub = try Self.hub(recordingTo: folder.path)
            hub.stop()
            hub.waitUntilStopped()
            // The file's name contains the second and the process.
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let old = folder.path + "/" + name
                try FileManager.default.moveItem(atPath: old, toPath: folder.path + "/" + UUID().uuidString)
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 2)
        for name in names {
            let path = folder.path + "/" + name
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(try ReplayCommand.replay(path, json: false, device: nil) { _ in } == 0)
        }
    }

    @Test func `an existing empty event log is used and made private, a non-empty one is refused`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "events.jsonl")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let hub = try Self.hub(recordingTo: path)
        let other = #expect(throws: LineFileError.self) { try Self.hub(recordingTo: path) }
        #expect(other?.description.contains("is another hub's") == true)
        hub.stop()
        hub.waitUntilStopped()
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: LineFileError.self) { try Self.hub(recordingTo: path) }
        #expect(error?.description.contains("holds something already, which is not overwritten") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(throws: LineFileError.self) { try Self.hub(recordingTo: "/dev/null") }
        #expect(throws: LineFileError.self) { try Self.hub(recordingTo: folder.path + "/no/such/folder") }
    }

    @Test func `a hub that fails to start leaves the event log file unused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/events.jsonl"
        var settings = HubSettings()
        settings.transport.host = "192.0.2.1"
        settings.eventsFile = path
        #expect(throws: (any Error).self) { try HubServer.start(settings) }
        let hub = try Self.hub(recordingTo: path)
        hub.stop()
        hub.waitUntilStopped()
    }

    /// Disabled with the thread sanitizer, whose set-up fails under the limit that stands in for a full disk.
    @Test(.disabled(if: isThreadSanitized))
    func `a full disk ends the event log but no call, and the written part can be replayed`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/events.jsonl"
        // The limit applies to every file, so the database is in memory; another test covers a full database.
        let settings = try folder.write("{storage: {path: ':memory:'}}", to: "hub.json5")
        // The limit is in blocks of 512 bytes per file; the hub's first line and a sign-in fit.
        let command = "ulimit -f 2; exec \"$0\" serve --listen 127.0.0.1:0 --config \"$2\" --record-events \"$1\" 2>&1"
        let hub = try Program(
            ["-c", command, Program.path, path, settings],
            program: "/bin/sh",
            in: folder
        )
        let line = try await hub.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
        try await blocking {
            let phones = try (0..<6).map { number in
                try RawPhone(port: port, account: "account-\(number)", ["device": ["id": "phone"]])
            }
            let start: Object = [
                "type": "start", "callUUID": UUID().uuidString, "handle": ["type": "generic", "value": "account-5"],
            ]
            try phones[0].ask("transaction.request", ["actions": [start]])
            try phones[5].next("call.changed")
            for phone in phones { try phone.ask("session.close") }
        }
        _ = try await hub.line(with: "the event log has stopped; calls continue")
        hub.interrupt()
        #expect(await hub.exitCode() == 0)
        #expect(hub.printed.components(separatedBy: "the event log has stopped").count == 2, "logged once")
        var text = ""
        #expect(try ReplayCommand.replay(path, json: false, device: nil) { text += $0 } == 0)
        #expect(text.contains("account-0/phone signs in"))
        #expect(text.contains("The last line is not complete"))
    }

    @Test func `the program writes its event log until a signal ends it, and replay has its own exit codes`()
        async throws
    {
        let folder = try TemporaryFolder()
        let hub = try Program(["serve", "--listen", "127.0.0.1:0", "--record-events", "bug.jsonl"], in: folder)
        let line = try await hub.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
        try await blocking { _ = try RawPhone(port: port, account: "alice", ["device": ["id": "phone"]]) }
        hub.interrupt()
        #expect(await hub.exitCode() == 0)
        let replay = try Program(["replay", "bug.jsonl"], in: folder)
        #expect(await replay.exitCode() == 0)
        #expect(replay.printed.contains("alice/phone signs in"))
        #expect(replay.printed.contains("the hub drains; calls may continue until"))
        #expect(await (try Program(["replay", "none.jsonl"], in: folder)).exitCode() == 1)
        #expect(await (try Program(["replay"], in: folder)).exitCode() == 1)
        let again = try Program(["serve", "--listen", "127.0.0.1:0", "--record-events", "bug.jsonl"], in: folder)
        #expect(await again.exitCode() == 2)
    }
}

private let isThreadSanitized = dlsym(nil, "__tsan_init") != nil
