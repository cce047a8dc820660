import Foundation
import HubEngine
import HubSimulator
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// One party's requests, and the messages that others receive because of them.
    struct FanOutLimiterTests {
        /// Connects Alice and Bob; returns the UUID of Alice's call.
        private static func connect(_ alice: RawPhone, _ bob: RawPhone) throws -> String {
            let uuid = UUID().uuidString
            let start: RawPhone.Object = [
                "type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "bob"] as RawPhone.Object,
            ]
            #expect(try alice.ask("transaction.request", ["actions": [start]]).result != nil)
            let ringing = try bob.next("call.changed") { $0.call["state"] as? String == "ringing" }.call
            let answer: RawPhone.Object = ["type": "answer", "callUUID": ringing["uuid"] ?? ""]
            #expect(try bob.ask("transaction.request", ["actions": [answer]]).result != nil)
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            return uuid
        }

        @Test func `a flood of digits is refused before a slow receiver is closed as a slow consumer`()
            async throws
        {
            let hub = try TestHub { $0.messagesPerSecond = 200 }
            let background = try await UndisturbedCall(hub)
            try await blocking {
                let alice = try RawPhone(port: hub.port, account: "alice")
                let bob = try RawPhone(port: hub.port, account: "bob", receiveBufferBytes: 4_096)
                let uuid = try Self.connect(alice, bob)
                let digits: RawPhone.Object = [
                    "type": "playDTMF", "callUUID": uuid, "digits": String(repeating: "5", count: 64),
                    "dtmfType": "singleTone",
                ]
                var refusals: [RawPhone.Object] = []
                for _ in 0..<900 {
                    let reply = try alice.ask("transaction.request", ["actions": [digits]])
                    if reply.errorCode != 0 { refusals.append(reply) }
                }
                #expect(refusals.count > 600)
                #expect(refusals.allSatisfy { $0.errorCode == 429 })
                #expect(refusals.allSatisfy { ($0.errorData["retryAfterSeconds"] as? Int ?? 0) >= 1 })
                #expect(refusals.first?.errorMessage.contains("other parties") == true)
                let end: RawPhone.Object = ["type": "end", "callUUID": uuid]
                #expect(try alice.ask("transaction.request", ["actions": [end]]).result != nil, "hanging up is free")
                // Bob, who has read nothing until now, finds his connection open and every message in its place.
                #expect(try bob.ask("session.ping").result != nil)
                #expect(bob.seqs == Array(1...bob.seqs.count))
                #expect(try hub.metric("callhub_connections_ended_total{reason=\"slowConsumer\"}") == 0)
            }
            try await background.finish()
        }
    }
}

/// The limits on a virtual clock, in messages and bytes per second.
struct FanOutAmountTests {
    /// Alice, and the other parties of her conference.
    private struct Conference {
        let fixture: VirtualHubFixture
        let alice: VirtualPhone
        var others: [VirtualPhone] = []
        var calls: [CallUUID] = []
        let aside: VirtualPhone
        let asideCall: CallUUID

        /// Connects all of them, and lets a minute pass, so that what it took is given back.
        init(of count: Int, _ configure: (inout HubSettings) -> Void = { _ in }) throws {
            fixture = try VirtualHubFixture(configure)
            alice = try fixture.phone("alice")
            var provider = ProviderConfiguration()
            provider.maximumCallGroups = count + 2
            provider.maximumCallsPerCallGroup = count
            try alice.ask(.engine(.configure(provider)))
            for number in 0..<count {
                let other = try fixture.phone("other\(number)")
                others.append(other)
                calls.append(try alice.call("other\(number)"))
                try other.act((try other.ringing(), .answer))
                if number > 0 { try alice.act((calls[number], .setGroup(with: calls[0]))) }
                fixture.advance(by: .seconds(1))
            }
            aside = try fixture.phone("aside")
            asideCall = try alice.call("aside")
            try aside.act((try aside.ringing(), .answer))
            // A full bucket again.
            fixture.advance(by: .seconds(60))
        }

        /// Bytes and messages to all but Alice since a position in the output, and the most bytes to one of them.
        func amount(since place: Int) -> (messages: Int, bytes: Int, toOne: Int) {
            var byReceiver: [ConnectionID: Int] = [:]
            var messages = 0
            for message in fixture.sent[place...] where message.connection != alice.connection {
                guard case .text(let bytes) = message.content else { continue }
                messages += 1
                byReceiver[message.connection, default: 0] += bytes.count
            }
            return (messages, byReceiver.values.reduce(0, +), byReceiver.values.max() ?? 0)
        }
    }

    @Test func `twenty swaps a second in a conference of eight are never refused`() throws {
        let conference = try Conference(of: 7)
        let place = conference.fixture.sent.count
        for turn in 0..<(20 * 60) {
            let (away, back) =
                turn % 2 == 0
                ? (conference.asideCall, conference.calls[0]) : (conference.calls[0], conference.asideCall)
            try conference.alice.act((away, .setHeld(true)), (back, .setHeld(false)))
            conference.fixture.advance(by: .milliseconds(50))
        }
        #expect(conference.amount(since: place).messages > 10_000)
    }

    @Test func `occasional strings of 64 digits, and digits at typing speed, are never refused`() throws {
        let conference = try Conference(of: 1)
        let digits = String(repeating: "1", count: 64)
        for turn in 0..<60 {
            if turn % 5 == 0 {
                try conference.alice.act((conference.asideCall, .playDTMF(digits: digits, type: .singleTone)))
            }
            for _ in 0..<10 {
                try conference.alice.act((conference.asideCall, .playDTMF(digits: "1", type: .singleTone)))
                conference.fixture.advance(by: .milliseconds(100))
            }
        }
    }

    /// Bytes to one receiver in ten seconds: the bucket, its refill, and one request that overdraws it.
    private static let mostToOne = (1 << 18) + 10 * (1 << 16) + (1 << 17)

    /// Sends the same as often as a connection may for ten seconds; returns the amount that others receive.
    private static func flood(
        _ conference: Conference,
        _ actions: [(CallUUID, ActionKind)]
    ) throws -> (messages: Int, bytes: Int, toOne: Int) {
        let place = conference.fixture.sent.count
        let request = Request.transaction(actions.map { ActionRequest(callUUID: $0.0, kind: $0.1) })
        for _ in 0..<10 {
            for _ in 0..<200 { _ = try? conference.alice.ask(.engine(request)) }
            conference.fixture.advance(by: .seconds(1))
        }
        return conference.amount(since: place)
    }

    @Test func `a flood of digits reaches the other party at a rate that it can process`() throws {
        let conference = try Conference(of: 1)
        let digits = String(repeating: "1", count: 64)
        let amount = try Self.flood(conference, [(conference.asideCall, .playDTMF(digits: digits, type: .singleTone))])
        #expect(amount.toOne <= Self.mostToOne)
    }

    @Test func `a constantly held and resumed conference is refused, and no party is sent more than it can read`()
        throws
    {
        let conference = try Conference(of: 12) { $0.messagesPerSecond = 100_000 }
        let call = conference.calls[0]
        let actions = (0..<62).map { (call, ActionKind.setHeld($0 % 2 == 0)) }
        let amount = try Self.flood(conference, actions)
        #expect(amount.toOne <= Self.mostToOne)
    }

    @Test func `a refused client may hang up, and may continue after the retry time`() throws {
        let conference = try Conference(of: 1)
        let digits = String(repeating: "1", count: 64)
        let request = Request.transaction([
            ActionRequest(callUUID: conference.asideCall, kind: .playDTMF(digits: digits, type: .singleTone))
        ])
        var refusal: WireError?
        while refusal == nil {
            do { try conference.alice.ask(.engine(request)) } catch { refusal = error as? WireError }
        }
        let wait = try #require(refusal?.retryAfterSeconds)
        #expect(refusal?.code == .tooMany)
        try conference.alice.act((conference.calls[0], .end))
        #expect(throws: WireError.self) { try conference.alice.ask(.engine(request)) }
        conference.fixture.advance(by: .seconds(wait))
        try conference.alice.ask(.engine(request))
    }

    @Test func `a refusal applies to all devices of an account, but to no other account`() throws {
        let conference = try Conference(of: 1)
        let second = try conference.fixture.phone("alice", on: "second")
        let digits = String(repeating: "1", count: 64)
        while (try? conference.alice.act((conference.asideCall, .playDTMF(digits: digits, type: .singleTone)))) != nil {
        }
        #expect(throws: WireError.self) { try second.call("other0") }
        _ = try conference.others[0].call("aside")
    }

    @Test func `messages caused by a timer are charged to the session that started it`() throws {
        let conference = try Conference(of: 1) { $0.causedMessagesPerSecond = 10 }
        let pause = ActionKind.playDTMF(digits: "1", type: .softPause)
        let tones = ActionKind.playDTMF(digits: String(repeating: "1", count: 60), type: .singleTone)
        try conference.alice.act((conference.asideCall, pause), (conference.asideCall, tones))
        try conference.alice.act((conference.asideCall, .setMuted(true)))
        conference.fixture.advance(by: .seconds(2))
        #expect(throws: WireError.self) { try conference.alice.act((conference.asideCall, .setMuted(false))) }
        conference.fixture.advance(by: .seconds(2))
        try conference.alice.act((conference.asideCall, .setMuted(false)))
    }

    @Test func `digits behind pauses have a limit that protects the other party`() throws {
        let conference = try Conference(of: 1) { $0.messagesPerSecond = 1_000_000 }
        let other = conference.others[0]
        let pause = ActionKind.playDTMF(digits: "1", type: .softPause)
        let tones = ActionKind.playDTMF(digits: String(repeating: "1", count: 31), type: .singleTone)
        // All of them wait behind the first one's pause; what they could come to is limited when they are accepted.
        var accepted = 0
        let request = [(conference.asideCall, pause), (conference.asideCall, tones)].map {
            ActionRequest(callUUID: $0.0, kind: $0.1)
        }
        while (try? conference.alice.ask(.engine(.transaction(request)))) != nil { accepted += 1 }
        #expect((30..<64).contains(accepted))
        let place = conference.fixture.sent.count
        for _ in 0..<accepted { conference.fixture.advance(by: .seconds(2)) }
        #expect(conference.amount(since: place).messages == accepted * 32)
        _ = try other.call("aside")
    }

    @Test func `a transaction whose group changes could exceed a party's queue is refused as a whole`() throws {
        let conference = try Conference(of: 12) { $0.transport.maximumQueuedTextBytes = 65_536 }
        let call = conference.calls[0]
        let many = (0..<40).map { ActionRequest(callUUID: call, kind: .setHeld($0 % 2 == 0)) }
        let place = conference.fixture.sent.count
        do {
            try conference.alice.ask(.engine(.transaction(many)))
            Issue.record("accepted")
        } catch let error as WireError {
            #expect(error.code == .tooMany)
            #expect(error.message.contains("request fewer actions at a time"))
        }
        #expect(conference.amount(since: place).messages == 0)
        try conference.alice.act((call, .setHeld(true)))
    }
}
