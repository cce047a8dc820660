import Foundation
import HubTestSupport
import LoopMailbox
import Testing

@testable import HubServer

/// The resumption of sessions, without the client library: seq, refusals, grace periods.
struct ResumeRulesTests {
    /// A call between two raw phones.
    private struct Call {
        let alice: RawPhone
        let bob: RawPhone
        let outgoing = UUID().uuidString.lowercased()
        let incoming: String
        let aliceSSRC: UInt32
        let bobSSRC: UInt32

        /// With `isAnswering`, the callee has asked to answer and has read no answer to that yet.
        init(_ hub: TestHub, bob more: RawPhone.Object = [:], isAnswering: Bool = false) throws {
            alice = try RawPhone(port: hub.port, account: "alice")
            bob = try RawPhone(port: hub.port, account: "bob", more)
            try alice.request("start", outgoing, ["handle": ["type": "generic", "value": "bob"]])
            aliceSSRC = try alice.activation()
            incoming = try bob.ringing()
            guard !isAnswering else {
                bobSSRC = 0
                try bob.send("transaction.request", ["actions": [["type": "answer", "callUUID": incoming]]])
                return
            }
            try bob.request("answer", incoming)
            bobSSRC = try bob.activation()
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            try alice.ask("session.ping")
            try bob.ask("session.ping")
        }
    }

    @Test func `seq numbers have no gaps over ten connections`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            for _ in 0..<10 {
                call.alice.socket.socket.reset()
                try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
                try call.bob.request("setHeld", call.incoming, ["isOnHold": true])
                try call.bob.request("setHeld", call.incoming, ["isOnHold": false])
                let reply = try call.alice.resume()
                #expect(reply.result?["resumed"] as? Bool == true)
                let calls = reply.result?["calls"] as? [RawPhone.Object] ?? []
                #expect(calls.map { $0["uuid"] as? String } == [call.outgoing])
                try call.alice.ask("session.ping")
            }
            #expect(call.alice.seqs == Array(1...call.alice.seqs.count))
            #expect(call.alice.methods.count { $0 == "audio.sources" } == 1 + 2 * 10)
        }
    }

    @Test func `a replayed notification is identical to the first one`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            let told = call.alice.notifications as NSArray
            for _ in 0..<3 {
                call.alice.socket.socket.reset()
                try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
                let before = call.alice.notifications.count
                try call.alice.resume(after: 0)
                try call.alice.ask("session.ping")
                #expect(Array(call.alice.notifications.dropFirst(before)) as NSArray == told)
            }
        }
    }

    @Test func `audio continues both ways, with the former SSRCs`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            call.alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            let begin = ContinuousClock.now
            func bobs(_ number: Int) -> [UInt8] {
                // By the clock: what comes slower than its own time stamps is late.
                let timestamp = UInt32((ContinuousClock.now - begin) / .milliseconds(1)) * 48
                return TestPhone.packet([0x08, 1], ssrc: call.bobSSRC, number: number, timestamp: timestamp)
            }
            let fromAlice = TestPhone.packet([0x08, 2], ssrc: call.aliceSSRC, number: 0)
            try call.bob.socket.send(binary: bobs(0))
            try call.bob.ask("session.ping")
            #expect(try hub.dropped("listenerLost", reaching: 1) == 1)
            try call.alice.resume()
            let fromBob = bobs(1)
            try call.bob.socket.send(binary: fromBob)
            try call.bob.ask("session.ping")
            try call.alice.socket.send(binary: fromAlice)
            try call.alice.ask("session.ping")
            try call.bob.ask("session.ping")
            try call.alice.awaitPackets(1)
            try call.bob.awaitPackets(1)
            #expect(call.alice.relayedPackets == [fromBob])
            #expect(call.bob.relayedPackets == [fromAlice])
        }
    }

    @Test func `the old connection is closed as replaced`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            let old = call.alice.socket
            let reply = try call.alice.resume()
            #expect(reply.result?["resumed"] as? Bool == true)
            let last = try old.readFrame()
            #expect(last.text.contains("\"session.closing\"") && last.text.contains("\"replaced\""))
            #expect(try old.readCloseCode() == 1000)
            try call.alice.socket.send(binary: TestPhone.packet([0x08, 2], ssrc: call.aliceSSRC, number: 0))
            try call.alice.ask("session.ping")
            try call.bob.ask("session.ping")
            try call.bob.awaitPackets(1)
            #expect(call.bob.relayedPackets.count == 1)
            try call.bob.request("end", call.incoming)
            try call.alice.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            #expect(call.alice.seqs == Array(1...call.alice.seqs.count))
        }
    }

    @Test func `wrong resume data is refused as no session, and the connection can sign in`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            call.alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            try call.alice.reconnect()
            let token = call.alice.session["resumeToken"] as? String ?? ""
            let wrong: [(Int?, RawPhone.Object)] = [
                (nil, ["token": ""]), (nil, ["token": token.uppercased()]), (nil, ["token": token + "0"]),
                (nil, ["token": String(token.dropLast()) + "g"]), (nil, ["session": "nonsense"]),
                (nil, ["session": call.bob.session["session"] ?? ""]), (call.alice.lastSeq + 1, [:]), (.max, [:]),
            ]
            for (seq, changes) in wrong {
                let reply = try call.alice.resumeHere(after: seq, changes)
                #expect(reply.errorCode == 440)
                #expect(reply.errorData["name"] as? String == "sessionGone")
                #expect(!reply.errorMessage.isEmpty)
            }
            #expect(try call.alice.resumeHere(after: -1).errorCode == -32602)
            #expect(try hub.metric("callhub_calls") == 2, "the call is unaffected")
            #expect(try call.alice.resumeHere().result?["resumed"] as? Bool == true)
        }
    }

    @Test func `a seq too old for a replay cannot be resumed`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            // A call whose other end is the hub itself: no other party receives the names.
            let uuid = UUID().uuidString
            let start: RawPhone.Object = [
                "type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": "echo"] as RawPhone.Object,
            ]
            #expect(try call.alice.ask("transaction.request", ["actions": [start]]).result != nil)
            let name = String(repeating: "x", count: 60_000)
            for number in 0..<20 {
                try call.alice.ask(
                    "provider.reportCall",
                    ["callUUID": uuid, "update": ["localizedCallerName": "\(number) \(name)"]]
                )
            }
            call.alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            #expect(try call.alice.resume(after: 1).errorCode == 440)
            #expect(try call.alice.resumeHere().result?["resumed"] as? Bool == true)
        }
    }

    @Test func `after a restart of the hub there is a new session, and a reset (CK-05, CK-83)`() async throws {
        try await blocking {
            let call = try Call(try TestHub())
            let session = call.alice.session
            let restarted = try TestHub()
            let phone = try RawPhone(port: restarted.port)
            let resume: RawPhone.Object = [
                "session": session["session"] ?? "", "token": session["resumeToken"] ?? "", "seq": 3,
            ]
            let reply = try phone.open(["account": "alice", "resume": resume])
            #expect(reply.result?["resumed"] as? Bool == false)
            try phone.next("provider.didReset")
            try phone.next("provider.didBegin")
            #expect(phone.seqs == [1, 2])
            #expect(try restarted.metric("callhub_calls") == 0, "no ghosts")
        }
    }

    @Test func `after the grace period the call fails for the other party, and its state is removed (CK-84, P16)`()
        async throws
    {
        try await blocking {
            let hub = try TestHub { $0.resumeGrace = .milliseconds(100) }
            let call = try Call(hub)
            call.alice.socket.socket.reset()
            let ended = try call.bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(ended["endedReason"] as? String == "failed")
            #expect(ended["cause"] as? String == "connectionLost")
            #expect(try call.alice.resume().errorCode == 440)
            #expect(try call.alice.open(["account": "alice"]).result?["resumed"] as? Bool == false)
            #expect(try hub.metric("callhub_calls") == 0)
            #expect(try hub.metric("callhub_sessions") == 2)
        }
    }

    @Test func `a grace period that ends at the instant of the resume ends the session, not the connection`()
        async throws
    {
        try await blocking {
            let hub = try TestHub {
                $0.resumeGrace = .zero
                // The message of either loop may reach the hub first.
                $0.transport.loops = 1
            }
            let alice = try RawPhone(port: hub.port, account: "alice")
            let old = alice.socket
            try alice.reconnect()
            // Both wait for the hub when it looks again, the loss first: its timer has had no turn yet.
            let isStopped = DispatchSemaphore(value: 0)
            let goesOn = DispatchSemaphore(value: 0)
            hub.server.loops.mailbox.post { _ in
                isStopped.signal()
                goesOn.wait()
            }
            isStopped.wait()
            old.socket.reset()
            try alice.sendResume()
            goesOn.signal()
            #expect(try alice.reply().errorCode == 440)
            #expect(try alice.open(["account": "alice"]).result?["resumed"] as? Bool == false)
        }
    }

    @Test(arguments: [1001, 1005, 4000, 1000])
    func `a close with code 1000 signs out, any other is a loss`(_ code: UInt16) async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            try call.alice.socket.sendClose(code: code == 1005 ? nil : code)
            #expect(try call.alice.socket.readCloseCode() == code)
            guard code == 1000 else {
                try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
                #expect(try call.alice.resume().result?["resumed"] as? Bool == true)
                #expect(try hub.metric("callhub_calls") == 2)
                return
            }
            let ended = try call.bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(ended["endedReason"] as? String == "remoteEnded")
            #expect(try call.alice.resume().errorCode == 440)
        }
    }

    @Test func `an action performed before the loss can be fulfilled after it`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub, bob: ["fulfillment": "manual"], isAnswering: true)
            let perform = try call.bob.next("provider.perform")
            let action = (perform["action"] as? RawPhone.Object)?["uuid"] as? String ?? ""
            call.bob.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            try call.bob.resume()
            #expect(try call.bob.ask("action.fulfill", ["action": action]).result?.isEmpty == true)
            #expect(try call.bob.ask("action.fulfill", ["action": action]).result?["ignored"] as? Bool == true)
            try call.alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            #expect(call.bob.seqs == Array(1...call.bob.seqs.count))
        }
    }

    @Test func `an action performed during the loss is notified after it`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub, bob: ["fulfillment": "manual"], isAnswering: true)
            // The answer to the request and the perform message have come, unread, and are lost with the connection.
            while !call.bob.socket.socket.isReadable { usleep(1_000) }
            call.bob.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            try call.bob.resume()
            let perform = try call.bob.next("provider.perform")
            let action = (perform["action"] as? RawPhone.Object)?["uuid"] as? String ?? ""
            #expect(try call.bob.ask("action.fulfill", ["action": action]).result?.isEmpty == true)
            try call.alice.next("call.changed") { $0.call["state"] as? String == "connected" }
        }
    }

    @Test func `a call continues to ring while its caller is disconnected, and can be answered`() async throws {
        try await blocking {
            let hub = try TestHub()
            let alice = try RawPhone(port: hub.port, account: "alice")
            let bob = try RawPhone(port: hub.port, account: "bob")
            let uuid = UUID().uuidString.lowercased()
            try alice.request("start", uuid, ["handle": ["type": "generic", "value": "bob"]])
            let ssrc = try alice.activation()
            let incoming = try bob.ringing()
            alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            try bob.request("answer", incoming)
            try bob.activation()
            let reply = try alice.resume()
            let calls = reply.result?["calls"] as? [RawPhone.Object] ?? []
            #expect(calls.map { $0["state"] as? String } == ["connected"])
            try alice.next("call.changed") { $0.call["state"] as? String == "connected" }
            try alice.socket.send(binary: TestPhone.packet([0x08, 2], ssrc: ssrc, number: 0))
            try alice.ask("session.ping")
            try bob.ask("session.ping")
            try bob.awaitPackets(1)
            #expect(bob.relayedPackets.count == 1)
        }
    }

    @Test func `a call fails if its caller does not return while it rings`() async throws {
        try await blocking {
            let hub = try TestHub { $0.resumeGrace = .milliseconds(100) }
            let alice = try RawPhone(port: hub.port, account: "alice")
            let bob = try RawPhone(port: hub.port, account: "bob")
            let uuid = UUID().uuidString.lowercased()
            try alice.request("start", uuid, ["handle": ["type": "generic", "value": "bob"]])
            _ = try bob.ringing()
            alice.socket.socket.reset()
            let ended = try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(ended["endedReason"] as? String == "failed")
            #expect(ended["cause"] as? String == "connectionLost")
        }
    }

    @Test func `a new sign-in instead of a resume ends the device's calls`() async throws {
        try await blocking {
            let hub = try TestHub()
            let call = try Call(hub)
            call.alice.socket.socket.reset()
            try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
            let device = call.alice.session["device"] as? RawPhone.Object ?? [:]
            let again = try RawPhone(port: hub.port, account: "alice", ["device": device])
            #expect(again.session["resumed"] as? Bool == false)
            let ended = try call.bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
            #expect(ended["endedReason"] as? String == "failed")
            #expect(try call.alice.resume().errorCode == 440)
        }
    }
}

extension RawPhone {
    /// Requests one action.
    func request(_ type: String, _ uuid: String, _ more: Object = [:]) throws {
        let action = more.merging(["type": type, "callUUID": uuid]) { $1 }
        let reply = try ask("transaction.request", ["actions": [action]])
        guard reply.errorCode == 0 else { throw RawSocketError.unexpectedReply("\(reply)") }
    }

    /// Waits for the activation of the audio session.
    @discardableResult
    func activation() throws -> UInt32 {
        let session = try next("provider.didActivateAudioSession")["audioSession"] as? Object
        return UInt32(session?["ssrc"] as? Int ?? 0)
    }

    /// Waits for a call that rings.
    func ringing() throws -> String {
        try next("call.changed") { $0.call["state"] as? String == "ringing" }.call["uuid"] as? String ?? ""
    }

    /// Reads until `count` packets of other parties have arrived, for at most 100 replies.
    ///
    /// A packet that crosses loops may arrive after a reply.
    func awaitPackets(_ count: Int) throws {
        for _ in 0..<100 where relayedPackets.count < count { try ask("session.ping") }
    }

    /// The packets of other parties; reports of the hub's own are left out.
    var relayedPackets: [[UInt8]] {
        packets.filter { $0.count > 1 && $0[1] & 0x7F == 111 }
    }
}
