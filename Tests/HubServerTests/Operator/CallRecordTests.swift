import Foundation
import HubClient
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// Real calls over sockets, and the contents of their records.
@Suite(.serialized) struct CallRecordTests {
    /// A hub that writes records, and their file.
    private final class RecordingHub {
        private let folder: TemporaryFolder
        private let watch: FolderWatch
        /// The last hub to write to the folder; it has ended when the folder is removed.
        private var hub: TestHub?
        var file: String { folder.path + "/calls.jsonl" }

        init() throws {
            folder = try TemporaryFolder()
            watch = try FolderWatch(folder)
        }

        func start(_ configure: (inout HubSettings) -> Void = { _ in }) throws -> TestHub {
            // One hub at a time may write a file.
            hub = nil
            let next = try TestHub {
                $0.callsFile = file
                configure(&$0)
            }
            hub = next
            return next
        }

        /// The records so far, when there are at least so many.
        func records(_ count: Int = 1) throws -> [[String: Any]] {
            while true {
                let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                if lines.count >= count {
                    return try lines.map {
                        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
                    }
                }
                try #require(watch.wait(seconds: 20), "\(lines.count) records of \(count) have come")
            }
        }
    }

    private typealias Object = [String: Any]

    /// A leg's part of a record, by its account.
    private static func leg(_ account: String, of record: Object) throws -> Object {
        let legs = try #require(record["legs"] as? [Object])
        return try #require(legs.first { $0["account"] as? String == account })
    }

    private static func audio(_ account: String, _ side: String, of record: Object) throws -> Object {
        let audio = try #require(try leg(account, of: record)["audio"] as? Object)
        return try #require(audio[side] as? Object)
    }

    private static func number(_ name: String, in object: Object) throws -> Double {
        try #require((object[name] as? NSNumber)?.doubleValue, "\(name) of \(object)")
    }

    private static func events(_ record: Object, leg: Int) throws -> [String] {
        try #require(record["events"] as? [Object]).filter { $0["leg"] as? Int == leg }.compactMap {
            $0["event"] as? String
        }
    }

    /// Calls whose ends are on whatever loops the kernel has chosen.
    private static func calls(_ count: Int, on hub: TestHub) async throws -> [TestPhone] {
        var phones: [TestPhone] = []
        for number in 0..<count {
            let (caller, callee) = (try await hub.phone("caller\(number)"), try await hub.phone("callee\(number)"))
            try await caller.client.start(.generic("callee\(number)"))
            try await callee.client.answer(try await callee.ringing().uuid)
            try await caller.call("is connected") { $0.state == .connected }
            phones += [caller, callee]
        }
        return phones
    }

    @Test(arguments: [1, 3])
    func `a stopping hub writes a record for every call that it ends, on any number of loops`(loops: Int) async throws {
        let recording = try RecordingHub()
        let hub = try recording.start {
            $0.transport.loops = loops
            $0.drainGrace = .milliseconds(200)
        }
        let phones = try await Self.calls(6, on: hub)
        hub.server.drain()
        hub.server.waitUntilStopped()
        let records = try recording.records(6)
        #expect(records.count == 6)
        for record in records {
            #expect(record["endedReason"] as? String == "failed")
            #expect(record["cause"] as? String == "shutdown")
            let legs = try #require(record["legs"] as? [Object])
            #expect(legs.allSatisfy { $0["audio"] is Object }, "with its figures")
        }
        withExtendedLifetime(phones) {}
    }

    @Test func `a hub that stops at once notifies its clients, and its records contain the reason`() async throws {
        let recording = try RecordingHub()
        let hub = try recording.start()
        let phones = try await Self.calls(2, on: hub)
        hub.server.drain()
        hub.server.stop()
        hub.server.waitUntilStopped()
        for record in try recording.records(2) { #expect(record["cause"] as? String == "shutdown") }
        for phone in phones { try await phone.call("has ended") { $0.hasEnded && $0.cause == .shutdown } }
    }

    @Test func `an undisturbed call has a record without faults`() async throws {
        let keeper = try RecordingHub()
        let call = try await FaultyCall(keeper.start())
        let talks = [NumberedAudioSender(call.alice.client), NumberedAudioSender(call.bob.client)]
        _ = try await call.bob.waitForSteadyAudio(talks[0])
        try await call.alice.client.setHeld(call.outgoing, true)
        try await call.alice.client.setHeld(call.outgoing, false)
        talks.forEach { $0.stop() }
        try await call.alice.client.end(call.outgoing)
        try await call.bob.call("has ended") { $0.hasEnded }
        let record = try #require(try keeper.records().first)
        #expect(record["caller"] as? String == "alice")
        #expect((record["called"] as? Object)?["value"] as? String == "bob")
        #expect(record["endedReason"] is NSNull, "alice hung up")
        #expect(try Self.number("durationMilliseconds", in: record) >= 500)
        #expect(try Self.leg("bob", of: record)["endedReason"] as? String == "remoteEnded")
        #expect(try Self.leg("bob", of: record)["address"] as? String == "127.0.0.1")
        let story = try Self.events(record, leg: 0)
        #expect(Array(story.prefix(2)) == ["started", "audioBegan"])
        #expect(story.contains("held") && story.contains("resumed"))
        #expect(try Self.events(record, leg: 1).first == "ringing")
        let sent = try Self.audio("alice", "sent", of: record)
        #expect(try Self.number("packets", in: sent) >= 25)
        #expect(try Self.number("lost", in: sent) <= 0)
        let heard = try Self.audio("bob", "heard", of: record)
        #expect(try Self.number("packets", in: heard) == Self.number("passedOn", in: sent))
        #expect(try Self.number("missedWhileLost", in: heard) == 0)
        let link = try Self.audio("bob", "link", of: record)
        #expect(try Self.number("roundTripMilliseconds", in: link) > 0)
    }

    @Test func `a sender's burst after a stall is in the record`() async throws {
        let keeper = try RecordingHub()
        let hub = try keeper.start { $0.transport.lateAfter = .milliseconds(500) }
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice")
            let uuid = UUID().uuidString.lowercased()
            try phone.request("start", uuid, ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object])
            let ssrc = try phone.activation()
            func say(_ numbers: Range<Int>) throws {
                for number in numbers {
                    try phone.socket.send(binary: TestPhone.packet([0x78, 1, 2], ssrc: ssrc, number: number))
                }
                try phone.ask("session.ping")
            }
            try say(0..<1)
            // 1.2 s of sound come at once, that long after the first packet: three numbers are missing.
            let stall = Deadline(seconds: 1.2)
            while !stall.isOver { usleep(10_000) }
            try say(1..<30)
            try say(33..<60)
            try phone.request("end", uuid)
            try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        }
        let record = try #require(try keeper.records().first)
        let sent = try Self.audio("alice", "sent", of: record)
        #expect(try Self.number("packets", in: sent) == 57)
        #expect(try Self.number("lost", in: sent) == 3)
        #expect(try Self.number("stalls", in: sent) >= 1)
        #expect((1_100...6_000).contains(try Self.number("longestStallMilliseconds", in: sent)))
        #expect(try Self.number("longestSilenceMilliseconds", in: sent) >= 1_200)
        #expect(try Self.number("late", in: #require(sent["dropped"] as? Object)) >= 20)
        #expect(try Self.number("max", in: #require(sent["jitterMilliseconds"] as? Object)) > 20)
    }

    @Test func `a receiver's stall is in the record`() async throws {
        let keeper = try RecordingHub()
        let hub = try keeper.start {
            $0.transport.sendBufferBytes = 4_608
            $0.transport.staleAfter = .milliseconds(120)
        }
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice", receiveBufferBytes: 2_048)
            let uuid = UUID().uuidString.lowercased()
            try phone.request("start", uuid, ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object])
            let ssrc = try phone.activation()
            // It receives its own audio, and reads nothing until the hub has dropped some packets.
            let big = [UInt8](repeating: 0x55, count: 1_200)
            var number = 0
            while try hub.dropped("slowConsumer") < 10 {
                try phone.socket.send(binary: TestPhone.packet([0x78] + big, ssrc: ssrc, number: number))
                number += 1
                usleep(5_000)
            }
            // The answer comes after the packets that wait for the socket, so that none is dropped any more.
            for _ in 0..<2 { try phone.ask("session.ping") }
            try phone.request("end", uuid)
            try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        }
        let record = try #require(try keeper.records().first)
        let heard = try Self.audio("alice", "heard", of: record)
        let dropped = try hub.dropped("slowConsumer")
        #expect(try Self.number("droppedSlow", in: heard) == Double(dropped))
        let wait = try Self.number("longestWaitMilliseconds", in: heard)
        #expect((0...1_000).contains(wait), "older packets are dropped")
        #expect(try Self.number("lost", in: Self.audio("alice", "sent", of: record)) == 0)
    }

    @Test func `a lost and resumed connection is in the record`() async throws {
        let keeper = try RecordingHub()
        let call = try await FaultyCall(keeper.start())
        let talk = NumberedAudioSender(call.bob.client)
        _ = try await call.alice.waitForSteadyAudio(talk)
        call.link.refuse()
        call.link.reset()
        let hub = call.hub
        try await blocking {
            try hub.wait(for: "callhub_audio_packets_dropped_total{reason=\"listenerLost\"}", toBe: { $0 > 5 })
        }
        call.link.restore()
        try await call.alice.next("a resumed session") { if case .resumed = $0 { true } else { nil } }
        _ = try await call.alice.waitForSteadyAudio(talk)
        talk.stop()
        try await call.alice.client.end(call.outgoing)
        try await call.bob.call("has ended") { $0.hasEnded }
        let record = try #require(try keeper.records().first)
        let story = try Self.events(record, leg: 0)
        let lost = try #require(story.firstIndex(of: "connectionLost"))
        #expect(story[lost...].contains("connectionResumed"))
        let missed = try Self.number("missedWhileLost", in: Self.audio("alice", "heard", of: record))
        #expect(missed > 5)
        let dropped = try #require(try Self.audio("bob", "sent", of: record)["dropped"] as? Object)
        #expect(try Self.number("listenerLost", in: dropped) == missed)
    }

    @Test func `a client's receiver reports are in the record`() async throws {
        let keeper = try RecordingHub()
        let hub = try keeper.start()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice")
            let uuid = UUID().uuidString.lowercased()
            try phone.request("start", uuid, ["handle": ["type": "generic", "value": "tone"] as RawPhone.Object])
            let ssrc = try phone.activation()
            for (fraction, lost) in [(64, 5), (10, 7)] {
                var report: [UInt8] = [0x81, 201, 0, 7]
                report += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ssrc >> $0) }
                report += [1, 2, 3, 4, UInt8(fraction), 0, 0, UInt8(lost), 0, 0, 0, 9, 0, 0, 0x03, 0xC0]
                report += [UInt8](repeating: 0, count: 8)
                try phone.socket.send(binary: report)
            }
            try phone.ask("session.ping")
            try phone.request("end", uuid)
            try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
        }
        let reported = try Self.audio("alice", "reported", of: #require(try keeper.records().first))
        #expect(try Self.number("reports", in: reported) == 2)
        #expect(try Self.number("worstPercentLost", in: reported) == 25)
        #expect(try Self.number("lost", in: reported) == 7)
        #expect(try Self.number("jitterMaxMilliseconds", in: reported) == 20)
    }

    @Test func `records of several runs are appended to one file, and a rotated file is left unchanged`() async throws {
        let keeper = try RecordingHub()
        for run in 1...2 {
            let hub = try keeper.start()
            _ = try await hub.phone("alice").client.start(.generic("nobody"))
            _ = try keeper.records(run)
        }
        let hub = try keeper.start()
        try FileManager.default.moveItem(atPath: keeper.file, toPath: keeper.file + ".1")
        _ = try await hub.phone("alice").client.start(.generic("nobody"))
        #expect(try keeper.records(1).count == 1)
        let rotated = try String(contentsOfFile: keeper.file + ".1", encoding: .utf8)
        #expect(rotated.split(separator: "\n").count == 2)
    }

    @Test func `a call that is active when the hub stops has a record`() async throws {
        let keeper = try RecordingHub()
        do {
            let hub = try keeper.start()
            let alice = try await hub.phone("alice")
            _ = try await alice.client.start(.generic("echo"))
            let audio = try await alice.activation()
            try await alice.call("is connected") { $0.state == .connected }
            try await alice.say([[0x78, 1], [0x78, 2]], ssrc: audio.ssrc)
            try await alice.settle()
            hub.server.stop()
            hub.server.waitUntilStopped()
        }
        let record = try #require(try keeper.records().first)
        #expect(try Self.number("packets", in: Self.audio("alice", "sent", of: record)) == 2)
    }
}
