import HubEngine
import HubSimulator
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// The times at which clients are notified of dropped packets, on a virtual clock.
struct PacketsDroppedScheduleTests {
    /// A connected call in which Alice is muted; both ask for notifications by default.
    private struct MutedCall {
        let fixture: VirtualHubFixture
        let alice: VirtualPhone
        let bob: VirtualPhone
        let uuid: CallUUID

        init(reportsDroppedPackets: Bool = true) throws {
            fixture = try VirtualHubFixture()
            alice = try fixture.phone("alice", reportsDroppedPackets: reportsDroppedPackets)
            bob = try fixture.phone("bob", reportsDroppedPackets: reportsDroppedPackets)
            uuid = try alice.call("bob")
            try bob.act((try bob.ringing(), .answer))
            try alice.act((uuid, .setMuted(true)))
        }
    }

    @Test func `continuing drops are reported once a second, and none is missing`() throws {
        let call = try MutedCall()
        try call.alice.say("a", 250)
        call.fixture.advance(by: .seconds(2))
        let times = call.fixture.timesOfDropNotifications
        #expect((5...6).contains(times.count), "five seconds of drops")
        for (time, next) in zip(times, times.dropFirst()) { #expect(next.since(time) >= .seconds(1)) }
        #expect(call.alice.drops.reduce(0) { $0 + ($1.sent[.muted] ?? 0) } == 250)
        #expect(call.alice.drops.allSatisfy { $0.ssrc == call.alice.ssrc && $0.slowConsumer == 0 })
        #expect(call.bob.drops.isEmpty, "its own packets alone are its business")
    }

    @Test func `nothing is reported without drops`() throws {
        let call = try MutedCall()
        try call.alice.act((call.uuid, .setMuted(false)))
        try call.alice.say("a", 150)
        try call.alice.act((call.uuid, .end))
        call.fixture.advance(by: .seconds(2))
        #expect(call.fixture.timesOfDropNotifications.isEmpty)
    }

    @Test func `a client that did not ask is never notified`() throws {
        let call = try MutedCall(reportsDroppedPackets: false)
        try call.alice.say("a", 150)
        try call.alice.act((call.uuid, .end))
        call.fixture.advance(by: .seconds(2))
        #expect(call.fixture.timesOfDropNotifications.isEmpty)
    }

    @Test func `the last drops of an audio session are reported at its end`() throws {
        let call = try MutedCall()
        call.fixture.advance(by: .seconds(2))
        try call.alice.say("a", 1)
        call.fixture.advance(by: .milliseconds(200))
        #expect(call.alice.drops.map(\.sent) == [[.muted: 1]])
        try call.alice.say("b", 10)
        #expect(call.alice.drops.count == 1, "the second is not over")
        try call.alice.act((call.uuid, .end))
        call.fixture.advance(by: .seconds(5))
        #expect(call.alice.drops.map(\.sent) == [[.muted: 1], [.muted: 10]])
    }

    @Test func `packets sent before the audio session are reported with those in it`() throws {
        let fixture = try VirtualHubFixture()
        let alice = try fixture.phone("alice", reportsDroppedPackets: true)
        for number in 0..<7 {
            let packet = TestPhone.packet([0x08, 1], ssrc: 1, number: number)
            fixture.hub.receive(audio: packet, from: try #require(alice.connection))
        }
        fixture.advance(by: .seconds(2))
        #expect(alice.drops.isEmpty)
        _ = try alice.call("echo")
        fixture.advance(by: .seconds(1))
        #expect(alice.drops.map(\.sent) == [[.noSession: 7]])
    }

    @Test func `a slow reader is notified when it reads again, not earlier`() throws {
        let call = try MutedCall()
        try call.alice.act((call.uuid, .setMuted(false)))
        call.fixture.hub.freeze(try #require(call.bob.connection))
        try call.alice.say("a", 100)
        call.fixture.hub.thaw(try #require(call.bob.connection))
        call.fixture.deliver()
        let heard = call.bob.takeReceivedAudio().count
        #expect(call.bob.drops.isEmpty, "nothing was added to what it has to read")
        call.fixture.advance(by: .seconds(1))
        #expect(call.bob.drops.map(\.slowConsumer) == [UInt64(100 - heard)])
        #expect(call.bob.drops.allSatisfy { $0.sent.isEmpty })
        #expect(call.alice.drops.isEmpty, "the other party's connection is not its business")
    }

    @Test func `the request for reports persists over a resume`() throws {
        let call = try MutedCall()
        try call.alice.dropConnection()
        call.fixture.advance(by: .seconds(2))
        try call.alice.resume()
        try call.alice.say("a", 100)
        call.fixture.advance(by: .seconds(1))
        #expect(call.alice.drops.reduce(0) { $0 + ($1.sent[.muted] ?? 0) } == 100)
    }
}

extension VirtualHubFixture {
    /// The times of all notifications of dropped packets, to whatever client.
    fileprivate var timesOfDropNotifications: [Instant] {
        sent.compactMap { message in
            guard case .text(let bytes) = message.content,
                case .notification(_, .packetsDropped)? = try? HubMessage(parsing: bytes)
            else { return nil }
            return message.at
        }
    }
}

extension VirtualPhone {
    /// All drops that it was notified of.
    fileprivate var drops: [DroppedPackets] {
        told.compactMap { if case .packetsDropped(let dropped) = $0 { dropped } else { nil } }
    }
}
