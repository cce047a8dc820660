import Foundation
import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// `audio.packetsDropped` over sockets, by one loop and by several.
struct PacketsDroppedTests {
    /// A connected call of two phones, of which Alice asks for notifications; a report comes every minute at most.
    private struct Call {
        let hub: TestHub
        let alice: TestPhone
        let bob: TestPhone
        let outgoing: CallUUID
        let incoming: CallUUID
        let ssrc: UInt32

        init(loops: Int, interval: Duration) async throws {
            hub = try TestHub {
                $0.transport.loops = loops
                $0.transport.dropReportInterval = interval
            }
            alice = try await hub.phone("alice") { $0.reportsDroppedPackets = true }
            bob = try await hub.phone("bob")
            outgoing = try await alice.client.start(.generic("bob"))
            ssrc = try await alice.activation().ssrc
            incoming = try await bob.ringing().uuid
            try await bob.client.answer(incoming)
            try await bob.activation()
            try await alice.call("is connected") { $0.state == .connected }
        }
    }

    private let packets: [[UInt8]]

    init() throws {
        packets = try TestTone.packets(hertz: 440, count: 10)
    }

    @Test(arguments: [1, 3])
    func `each reason for dropped packets is in the last notification, with its count`(loops: Int)
        async throws
    {
        let call = try await Call(loops: loops, interval: .seconds(60))
        let (hub, alice) = (call.hub, call.alice)
        try await alice.client.setMuted(call.outgoing, true)
        try await alice.say(packets, ssrc: call.ssrc)
        try await alice.settle()
        try await alice.client.setMuted(call.outgoing, false)
        try await call.bob.client.setHeld(call.incoming, true)
        try await alice.call("is held by the other side") { $0.remoteIsOnHold }
        try await alice.say(packets, ssrc: call.ssrc, from: 10)
        for _ in 0..<3 { alice.client.sendRaw(TestPhone.packet(packets[0], ssrc: call.ssrc ^ 1, number: 0)) }
        for _ in 0..<2 { alice.client.sendRaw([0x80, 1, 2]) }
        alice.client.sendRaw([UInt8](repeating: 0x80, count: 2_000))
        try await alice.settle()
        // Ten seconds of sound within far less than that.
        for number in 0..<500 {
            alice.client.sendRaw(TestPhone.packet(packets[0], ssrc: call.ssrc, number: 1_000_000 + number))
            if number % 8 == 7 { _ = try await alice.client.ping() }
        }
        try await alice.settle()
        #expect(alice.told.drops.isEmpty)
        try await alice.client.end(call.outgoing)
        let dropped = try await alice.nextDrops()
        #expect(dropped.ssrc == call.ssrc)
        #expect(dropped.sent[.muted] == 10)
        #expect(dropped.sent[.staleSession] == 3)
        #expect(dropped.sent[.malformed] == 2)
        #expect(dropped.sent[.tooLarge] == 1)
        #expect((dropped.sent[.held] ?? 0) >= 10)
        #expect((dropped.sent[.tooFast] ?? 0) > 0)
        for (reason, count) in dropped.sent { #expect(try hub.dropped(reason.rawValue) == Int(count)) }
        try await alice.settle()
        #expect(alice.told.drops.count == 1)
    }

    @Test(arguments: [1, 3])
    func `a client receives its drop counts during the call, and only if it asked for them`(loops: Int)
        async throws
    {
        let call = try await Call(loops: loops, interval: .milliseconds(1))
        try await call.alice.client.setMuted(call.outgoing, true)
        try await call.bob.client.setMuted(call.incoming, true)
        try await call.bob.say(packets)
        try await call.alice.say(packets, ssrc: call.ssrc)
        var count: UInt64 = 0
        while count < 10 { count += try await call.alice.nextDrops().sent[.muted] ?? 0 }
        #expect(count == 10)
        // By the time of another report Bob's turn has come, too.
        try await call.alice.say(packets, ssrc: call.ssrc, from: 10)
        while count < 20 { count += try await call.alice.nextDrops().sent[.muted] ?? 0 }
        #expect(count == 20)
        try await call.bob.settle()
        #expect(try call.hub.dropped("muted", reaching: 30) == 30)
        #expect(call.bob.told.drops.isEmpty)
    }

    @Test(arguments: [1, 3])
    func `drops before a resume are reported after it, following the reply and without a gap in seq`(loops: Int)
        async throws
    {
        try await blocking {
            let hub = try TestHub {
                $0.transport.loops = loops
                $0.transport.dropReportInterval = .seconds(60)
            }
            let phone = try RawPhone(port: hub.port, account: "alice", ["reportsDroppedPackets": true])
            let uuid = UUID().uuidString.lowercased()
            try phone.request("start", uuid, ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object])
            let ssrc = try phone.activation()
            try phone.request("setMuted", uuid, ["isMuted": true])
            for round in 0..<6 {
                for number in 0..<5 {
                    let packet = TestPhone.packet(packets[number], ssrc: ssrc, number: round * 5 + number)
                    try phone.socket.send(binary: packet)
                }
                try phone.ask("session.ping")
                // Each new connection may be on another loop.
                #expect(try phone.resume().result?["resumed"] as? Bool == true)
            }
            try phone.request("end", uuid)
            while phone.drops("sent", "muted") < 30 { try phone.next("audio.packetsDropped") }
            try phone.ask("session.ping")
            #expect(phone.drops("sent", "muted") == 30)
            #expect(phone.seqs == Array(1...phone.seqs.count))
        }
    }

    @Test(arguments: [1, 3])
    func `a slow receiver is notified of the packets dropped because of that`(loops: Int) async throws {
        try await blocking {
            let hub = try TestHub {
                $0.transport.loops = loops
                $0.transport.sendBufferBytes = 4_608
                $0.transport.staleAfter = .milliseconds(120)
            }
            let phone = try RawPhone(
                port: hub.port,
                account: "alice",
                receiveBufferBytes: 2_048,
                ["reportsDroppedPackets": true]
            )
            let uuid = UUID().uuidString.lowercased()
            try phone.request("start", uuid, ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object])
            let ssrc = try phone.activation()
            let big = [UInt8](repeating: 0x55, count: 1_200)
            var number = 0
            while try hub.dropped("slowConsumer") < 10 {
                try phone.socket.send(binary: TestPhone.packet([0x78] + big, ssrc: ssrc, number: number))
                number += 1
                usleep(5_000)
            }
            // The answer comes after the packets that wait for the socket, so that none is dropped any more.
            for _ in 0..<2 { try phone.ask("session.ping") }
            let expected = try hub.dropped("slowConsumer")
            try phone.request("end", uuid)
            try phone.next("call.changed") { $0.call["hasEnded"] as? Bool == true }
            while phone.drops("received", "slowConsumer") < expected { try phone.next("audio.packetsDropped") }
            #expect(phone.drops("received", "slowConsumer") == expected)
        }
    }
}

extension [ClientEvent] {
    /// All drops among these events.
    fileprivate var drops: [DroppedPackets] {
        compactMap { if case .notification(.packetsDropped(let dropped)) = $0 { dropped } else { nil } }
    }
}

extension TestPhone {
    /// The next notification of dropped packets.
    fileprivate func nextDrops() async throws -> DroppedPackets {
        try await next("a notification of dropped packets") { [$0].drops.first }
    }
}

extension RawPhone {
    /// The sum of the drops that it was notified of, of one direction and reason.
    fileprivate func drops(_ direction: String, _ reason: String) -> Int {
        notifications.reduce(0) { sum, notification in
            guard notification["method"] as? String == "audio.packetsDropped",
                let params = notification["params"] as? Object, let counts = params[direction] as? Object
            else { return sum }
            return sum + (counts[reason] as? Int ?? 0)
        }
    }
}
