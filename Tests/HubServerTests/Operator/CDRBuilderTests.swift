import HubEngine
import HubSimulation
import Testing

@testable import HubServer

/// Records of calls made by the real engine, without sockets: built from the clients' notifications.
@Suite struct CDRBuilderTests {
    /// The engine and a CDR builder, connected as in the hub.
    private struct Fixture {
        var hub = SimulatedHub(EngineConfiguration(seed: 7))
        var cdrBuilder = CDRBuilder()
        var records: [CallRecord] = []
        /// True if quality figures arrive at the end of an audio session, false if later, by `deliver`.
        var isPrompt = true
        var late: [LegQuality] = []

        mutating func open(_ account: String, device: String = "phone") throws -> SessionID {
            let session = try hub.open(account, device: device)
            cdrBuilder.opened(session, account: account, device: account + "'s", name: nil, address: "192.0.2.1")
            takeOver()
            return session
        }

        /// Connects two devices; the caller's call.
        mutating func connect(_ caller: SessionID, to name: String, on callee: SessionID) throws -> CallUUID {
            let call = change { $0.start(caller, to: name) }
            let incoming = try #require(hub.ringing(callee)).uuid
            change { $0.request(callee, incoming, .answer) }
            return call
        }

        @discardableResult
        mutating func change<Result>(_ body: (inout SimulatedHub) throws -> Result) rethrows -> Result {
            defer { takeOver() }
            return try body(&hub)
        }

        private mutating func takeOver() {
            for effect in hub.lastEffects {
                guard case .notify(let session, let notification) = effect else { continue }
                switch notification {
                case .callChanged(let call):
                    let conversation = hub.engine.conversation(of: call.uuid, on: session)
                    cdrBuilder.changed(call, of: session, in: conversation, at: hub.now)
                case .didActivateAudioSession(let audio): cdrBuilder.activated(audio, of: session, at: hub.now)
                case .didDeactivateAudioSession(let audio):
                    cdrBuilder.deactivated(audio, of: session, at: hub.now)
                    var quality = LegQuality(session: session, ssrc: audio.ssrc)
                    quality.sent.received = 10
                    if isPrompt { cdrBuilder.received(quality) } else { late.append(quality) }
                default: break
                }
            }
            for session in cdrBuilder.sessionsToQuery {
                guard let ssrc = hub.engine.audioRoute(of: session).ssrc else { continue }
                var quality = LegQuality(session: session, ssrc: ssrc)
                quality.sent.received = 3
                quality.coverage = .interim
                cdrBuilder.received(quality)
            }
            records += cdrBuilder.takeComplete(at: hub.now)
        }

        mutating func deliver() {
            for quality in late { cdrBuilder.received(quality) }
            late = []
            records += cdrBuilder.takeComplete(at: hub.now)
        }
    }

    /// A connected call of Alice with Bob.
    private static func call(_ fixture: inout Fixture) throws -> (alice: SessionID, bob: SessionID, call: CallUUID) {
        let (alice, bob) = (try fixture.open("alice"), try fixture.open("bob"))
        let call = try fixture.connect(alice, to: "bob", on: bob)
        return (alice, bob, call)
    }

    @Test func `a call of two parties is one record with both legs`() throws {
        var fixture = Fixture()
        let (alice, _, call) = try Self.call(&fixture)
        #expect(fixture.records.isEmpty)
        #expect(fixture.cdrBuilder.counts.ongoing[.connected] == 2)
        fixture.change { $0.request(alice, call, .end) }
        let record = try #require(fixture.records.first)
        #expect(fixture.records.count == 1)
        #expect(record.legs.map(\.account) == ["alice", "bob"])
        #expect(record.mainLeg?.callUUID == call)
        #expect(record.legs.allSatisfy { $0.quality?.sent.received == 10 })
        #expect(record.firstEvents.map(\.kind).filter { $0 == .ended }.count == 2)
        #expect(record.legs[1].endedReason == .remoteEnded)
        #expect(fixture.cdrBuilder.count == 0)
        #expect(fixture.cdrBuilder.counts.ongoing.values.allSatisfy { $0 == 0 })
        #expect(fixture.cdrBuilder.counts.answered == 1)
    }

    @Test func `an attended transfer ends two records and begins a third one, which is answered at once`()
        throws
    {
        var fixture = Fixture()
        let (alice, bob, outgoing) = try Self.call(&fixture)
        let carol = try fixture.open("carol")
        let held = try #require(fixture.hub.calls(bob).first).uuid
        let active = try fixture.connect(bob, to: "carol", on: carol)
        fixture.change { $0.request(bob, held, .transfer(to: .call(active))) }
        #expect(fixture.cdrBuilder.counts.ongoing[.connected] == 2)
        fixture.change { $0.request(alice, outgoing, .end) }
        #expect(
            fixture.records.map { $0.legs.map(\.account) } == [
                ["alice", "bob"], ["bob", "carol"], ["alice", "carol"],
            ]
        )
        #expect(fixture.records.prefix(2).allSatisfy { $0.legs.allSatisfy { $0.cause == .transferred } })
        let joined = try #require(fixture.records.last)
        #expect(joined.connectedAt != nil && joined.legs.allSatisfy { $0.connectedAt != nil })
        #expect(joined.legs.map(\.endedReason) == [nil, .remoteEnded])
        #expect(fixture.cdrBuilder.count == 0 && fixture.cdrBuilder.counts.answered == 3)
        #expect(fixture.cdrBuilder.counts.ongoing.values.allSatisfy { $0 == 0 })
    }

    @Test func `a blind transfer begins a record that is answered when its target answers`() throws {
        var fixture = Fixture()
        let (alice, bob, outgoing) = try Self.call(&fixture)
        let carol = try fixture.open("carol")
        let incoming = try #require(fixture.hub.calls(bob).first).uuid
        fixture.change { $0.request(bob, incoming, .transfer(to: .handle(.generic("carol")))) }
        #expect(fixture.cdrBuilder.counts.answered == 1)
        let ringing = try #require(fixture.hub.ringing(carol)).uuid
        fixture.change { $0.request(carol, ringing, .answer) }
        #expect(fixture.cdrBuilder.counts.answered == 2)
        fixture.change { $0.request(alice, outgoing, .end) }
        let last = try #require(fixture.records.last)
        #expect(last.legs.map(\.account) == ["alice", "carol"])
        #expect(last.connectedAt != nil && last.legs.allSatisfy { $0.connectedAt == last.connectedAt })
        #expect(fixture.cdrBuilder.count == 0 && fixture.cdrBuilder.counts.ongoing.values.allSatisfy { $0 == 0 })
    }

    @Test func `two transfers by one user in a row begin a record each`() throws {
        var fixture = Fixture()
        let (alice, bob, outgoing) = try Self.call(&fixture)
        let (tablet, carol) = (try fixture.open("bob", device: "tablet"), try fixture.open("carol"))
        let incoming = try #require(fixture.hub.calls(bob).first).uuid
        fixture.change { $0.request(bob, incoming, .transfer(to: .handle(.generic("bob")))) }
        let moved = try #require(fixture.hub.ringing(tablet)).uuid
        fixture.change { $0.request(tablet, moved, .answer) }
        fixture.change { $0.request(tablet, moved, .transfer(to: .handle(.generic("carol")))) }
        let ringing = try #require(fixture.hub.ringing(carol)).uuid
        fixture.change { $0.request(carol, ringing, .answer) }
        fixture.change { $0.request(alice, outgoing, .end) }
        let last = try #require(fixture.records.last)
        #expect(last.legs.map(\.account) == ["alice", "carol"] && last.connectedAt != nil)
        #expect(fixture.records.count == 3 && fixture.cdrBuilder.counts.answered == 3)
    }

    @Test func `a leg has the maximum number of other people in its conversation (CH-01)`() throws {
        var fixture = Fixture()
        let (_, bob, _) = try Self.call(&fixture)
        let (carol, dave) = (try fixture.open("carol"), try fixture.open("dave"))
        let first = try #require(fixture.hub.calls(bob).first).uuid
        let second = try fixture.connect(bob, to: "carol", on: carol)
        fixture.change { $0.request(bob, first, .setGroup(with: second)) }
        let third = try fixture.connect(bob, to: "dave", on: dave)
        fixture.change { $0.request(bob, third, .setGroup(with: second)) }
        for call in [third, second, first] { fixture.change { $0.request(bob, call, .end) } }
        #expect(fixture.records.map { $0.legs.map(\.participants) } == [[2, 2], [2, 2], [2, 2]])
        var line: [UInt8] = []
        try #require(fixture.records.first).encode(into: &line)
        #expect(String(decoding: line, as: UTF8.self).contains(#""participants":2"#))
        let plain = try fixture.connect(bob, to: "carol", on: carol)
        fixture.change { $0.request(bob, plain, .end) }
        line = []
        try #require(fixture.records.last).encode(into: &line)
        #expect(!String(decoding: line, as: UTF8.self).contains("participants"))
    }

    @Test func `a record waits a limited time for late figures`() throws {
        var fixture = Fixture()
        fixture.isPrompt = false
        let (alice, bob, call) = try Self.call(&fixture)
        fixture.change { $0.request(alice, call, .end) }
        #expect(fixture.records.isEmpty)
        let deadline = try #require(fixture.cdrBuilder.nextDeadline)
        fixture.change { $0.wait(.seconds(1)) }
        // The slot of the conversation is used again meanwhile: another record.
        let second = try fixture.connect(alice, to: "bob", on: bob)
        #expect(fixture.cdrBuilder.count == 2)
        fixture.deliver()
        #expect(fixture.records.count == 1)
        #expect(fixture.records[0].legs.allSatisfy { $0.quality?.sent.received == 10 && $0.awaited.isEmpty })
        fixture.change { $0.request(alice, second, .end) }
        #expect(fixture.cdrBuilder.takeComplete(at: deadline).isEmpty, "the second one's time has not come")
        let late = fixture.cdrBuilder.takeComplete(at: deadline + .seconds(600))
        try #require(late.count == 1)
        #expect(late[0].legs.allSatisfy { $0.quality == nil && $0.awaited.count == 1 })
        #expect(fixture.cdrBuilder.count == 0)
        #expect(fixture.cdrBuilder.nextDeadline == nil)
    }

    @Test func `hold and resume are in the record's events, and their figures are summed`() throws {
        var fixture = Fixture()
        let (alice, bob, call) = try Self.call(&fixture)
        fixture.change { $0.request(alice, call, .setHeld(true)) }
        fixture.change { $0.request(alice, call, .setHeld(false)) }
        fixture.cdrBuilder.connectionLost(bob, at: fixture.hub.now)
        fixture.cdrBuilder.connectionResumed(bob, address: "198.51.100.7", at: fixture.hub.now)
        fixture.change { $0.request(alice, call, .end) }
        let record = try #require(fixture.records.first)
        let kinds = record.firstEvents.filter { $0.leg == 0 }.map(\.kind)
        #expect(kinds.contains(.held) && kinds.contains(.resumed))
        #expect(record.legs[0].quality?.sent.received == 20, "two audio sessions")
        let bobs = record.firstEvents.filter { $0.leg == 1 }
        #expect(bobs.contains { $0.kind == .connectionLost })
        #expect(bobs.contains { $0.kind == .connectionResumed && $0.detail == "198.51.100.7" })
    }

    @Test func `the events of a long call are bounded`() throws {
        var fixture = Fixture()
        let (alice, _, call) = try Self.call(&fixture)
        for round in 0..<200 {
            fixture.change { $0.request(alice, call, .setMuted(round.isMultiple(of: 2))) }
        }
        fixture.change { $0.request(alice, call, .end) }
        let record = try #require(fixture.records.first)
        #expect(record.firstEvents.count == CallRecord.keptEvents)
        #expect(record.lastEvents.count == CallRecord.keptEvents)
        #expect(record.omittedEvents > 100)
        #expect(record.firstEvents.first?.kind == .started)
        #expect(record.lastEvents.last?.kind == .ended || record.lastEvents.last?.kind == .audioEnded)
    }

    @Test func `a call that fails at once has a record too`() throws {
        var fixture = Fixture()
        let alice = try fixture.open("alice")
        _ = fixture.change { $0.start(alice, to: "nobody") }
        #expect(fixture.records.count == 1)
        #expect(fixture.records.first?.legs.first?.cause == .unknownHandle)
        #expect(fixture.records.first?.connectedAt == nil)
    }
}
