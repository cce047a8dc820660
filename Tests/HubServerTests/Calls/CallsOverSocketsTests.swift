import Foundation
import HubTestSupport
import Testing

/// The requirements of the CK rows on messages, seen by a phone that does not use the client library.
struct CallsOverSocketsTests {
    private let echo = ["handle": ["type": "generic", "value": "echo"]]

    private static func uuid() -> String { UUID().uuidString.lowercased() }

    /// Returns the order of the messages around a reply: `reply`, and the notifications' methods.
    private static func order(_ phone: RawPhone, _ method: String, _ params: RawPhone.Object) throws -> [String] {
        try phone.ask("session.ping")
        let before = phone.methods.count
        let reply = try phone.ask(method, params)
        #expect(reply.result != nil)
        let early = Array(phone.methods.dropFirst(before))
        try phone.ask("session.ping")
        return early + ["reply"] + phone.methods.dropFirst(before + early.count)
    }

    @Test func `the provider starts with the effective configuration, including defaults (CK-01, CK-02, CK-03)`()
        async throws
    {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice", ["provider": ["maximumCallGroups": 3]])
            let began = try phone.next("provider.didBegin")["configuration"] as? RawPhone.Object ?? [:]
            #expect(began["maximumCallGroups"] as? Int == 3)
            #expect(began["maximumCallsPerCallGroup"] as? Int == 5)
            #expect(began["includesCallsInRecents"] as? Bool == true)
            #expect(began["supportsVideo"] as? Bool == false)
            #expect((began["supportedHandleTypes"] as? [String])?.isEmpty == true)
            let reply = try phone.ask("provider.configure", ["provider": ["supportsVideo": true]])
            let changed = reply.result?["configuration"] as? RawPhone.Object ?? [:]
            #expect(changed["supportsVideo"] as? Bool == true)
            #expect(changed["maximumCallGroups"] as? Int == 2, "replaced whole, not added to")
        }
    }

    @Test func `the reply to a transaction precedes all its effects (CK-65)`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice")
            let call = Self.uuid()
            let start = (["type": "start", "callUUID": call] as RawPhone.Object).merging(echo) { $1 }
            let started = try Self.order(phone, "transaction.request", ["actions": [start]])
            #expect(started.first == "reply")
            #expect(started.contains("provider.didActivateAudioSession"))
            let end = ["type": "end", "callUUID": call]
            #expect(try Self.order(phone, "transaction.request", ["actions": [end]]).first == "reply")
        }
    }

    @Test func `a perform message has the action's UUID, the call's UUID and a deadline (CK-18, CK-26, P21, P24)`()
        async throws
    {
        let hub = try TestHub()
        try await blocking {
            let alice = try RawPhone(port: hub.port, account: "alice")
            let bob = try RawPhone(port: hub.port, account: "bob", ["fulfillment": "manual"])
            let before = Date()
            try alice.request("start", Self.uuid(), ["handle": ["type": "generic", "value": "bob"]])
            let start = try alice.next("provider.perform")
            #expect(try Self.seconds(to: start, from: before) > 590 && Self.seconds(to: start, from: before) < 630)
            let incoming = try bob.ringing()
            try bob.request("answer", incoming)
            let answer = try bob.next("provider.perform")
            let action = answer["action"] as? RawPhone.Object ?? [:]
            #expect(action["callUUID"] as? String == incoming)
            let name = try #require(action["uuid"] as? String)
            #expect(name != incoming)
            #expect(try Self.seconds(to: answer, from: before) > 55 && Self.seconds(to: answer, from: before) < 90)
            #expect(answer["origin"] as? String == "user")
            #expect(answer["fulfilled"] as? Bool == false)
            let mistaken = ["actions": [["type": "end", "callUUID": name]]]
            #expect(try bob.ask("transaction.request", mistaken).errorCode == 104)
            #expect(try bob.ask("action.fulfill", ["action": incoming]).result?["ignored"] as? Bool == true)
            #expect(try bob.ask("action.fulfill", ["action": name]).result?["ignored"] == nil)
        }
    }

    private static func seconds(to perform: RawPhone.Object, from: Date) throws -> Double {
        let text = try #require(perform["deadline"] as? String)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try style.parse(text).timeIntervalSince(from)
    }

    @Test func `a second end is refused with 104 and the current calls (CK-32, P22)`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice")
            let (first, second) = (Self.uuid(), Self.uuid())
            for call in [first, second] { try phone.request("start", call, echo) }
            try phone.request("end", first)
            let again = try phone.ask("transaction.request", ["actions": [["type": "end", "callUUID": first]]])
            #expect(again.errorCode == 104)
            let calls = again.errorData["calls"] as? [RawPhone.Object] ?? []
            #expect(calls.map { $0["uuid"] as? String } == [second])
        }
    }

    @Test func `a handle without a value is refused for callee and caller (P17)`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(port: hub.port, account: "alice")
            let handle = ["type": "phoneNumber", "value": ""]
            let start: RawPhone.Object = ["type": "start", "callUUID": Self.uuid(), "handle": handle]
            #expect(try phone.ask("transaction.request", ["actions": [start]]).errorCode == 602)
            let report: RawPhone.Object = ["callUUID": Self.uuid(), "update": ["remoteHandle": handle]]
            #expect(try phone.ask("provider.reportNewIncomingCall", report).errorCode == 602)
            try phone.ask("session.ping")
            #expect(phone.methods == ["provider.didBegin"])
        }
    }

    @Test func `a client that takes a transaction as a whole receives none of its actions (CK-62)`() async throws {
        let hub = try TestHub()
        try await blocking {
            let phone = try RawPhone(
                port: hub.port,
                account: "alice",
                ["fulfillment": "manual", "executesTransactions": true]
            )
            try phone.request("start", Self.uuid(), echo)
            let offer = try phone.next("provider.execute")
            let actions = offer["actions"] as? [RawPhone.Object] ?? []
            try phone.ask("provider.executed", ["transaction": offer["transaction"] ?? "", "handled": true])
            try phone.ask("action.fulfill", ["action": actions.first?["uuid"] ?? ""])
            try phone.next("call.changed") { $0.call["state"] as? String == "connected" }
            #expect(!phone.methods.contains("provider.perform"))
        }
    }
}
