import Foundation
import HubClient
import HubEngine
import HubTestSupport
import Testing

/// The loss of one party's connection in the middle of a call, and its resumption.
struct ResumeTests {
    /// The ways in which a connection can be lost.
    enum Outage: String, CaseIterable {
        /// Both ends receive a reset.
        case reset
        /// Only the client receives a reset; for the hub the connection is still open.
        case resetForTheClient
        /// Only the hub receives a reset; for the client the connection is still open.
        case resetForTheHub
        /// No data passes; afterwards all delayed data arrives.
        case silence
        /// The hub receives nothing; the client receives everything.
        case silenceUpwards
        /// The client receives nothing; the hub receives everything.
        case silenceDownwards
        /// No data passes; connections made before the end of it carry none afterwards either.
        case blackHole

        /// True if the client must detect that its connection is lost.
        var isNoticed: Bool { self != .silenceUpwards }

        func begin(on link: FaultyLink) {
            switch self {
            case .reset: link.reset()
            case .resetForTheClient: link.reset(.client)
            case .resetForTheHub: link.reset(.hub)
            case .silence, .silenceUpwards, .silenceDownwards, .blackHole: break
            }
            link.stallTraffic(self == .silenceUpwards ? .toHub : self == .silenceDownwards ? .fromHub : .both)
        }

        func end(on link: FaultyLink) {
            if self == .blackHole { link.abandonConnections() }
            link.restore()
        }
    }

    @Test(arguments: Outage.allCases)
    func `a call continues within a second, and its recording lacks only the outage`(_ outage: Outage) async throws {
        let call = try await FaultyCall(
            TestHub(),
            findsSilence: true,
            holdsBack: outage == .silenceUpwards
        )
        let (alice, bob) = (call.alice, call.bob)
        let connectedAt = try #require(bob.client.currentCalls.first?.connectedAt)
        let toldBob = bob.told.count
        let toldAlice = alice.told.count
        let (alices, bobs) = (NumberedAudioSender(alice.client), NumberedAudioSender(bob.client))
        let alicesFirst = try await bob.waitForSteadyAudio(alices)
        let bobsFirst = try await alice.waitForSteadyAudio(bobs)

        let cut = Instant.monotonic
        let delays = SchedulingDelayMonitor()
        outage.begin(on: call.link)
        if outage.isNoticed {
            try await alice.next("a lost connection") { if case .connectionLost = $0 { true } else { nil } }
        }
        await alices.reaches(alices.count + 50)
        let back = Instant.monotonic
        let (alicesNext, bobsNext) = (alices.count, bobs.count)
        outage.end(on: call.link)
        try await bob.hears("Alice again") { (NumberedAudioSender.number(in: $0.payload) ?? 0) >= alicesNext + 50 }
        try await alice.hears("Bob again") { (NumberedAudioSender.number(in: $0.payload) ?? 0) >= bobsNext + 50 }
        let (saidByAlice, saidByBob) = (alices.stop(), bobs.stop())
        try await alice.settle()
        try await bob.settle()
        try await alice.settle()

        // The limit is one second on a machine that never stalls this process; a stall's length is added.
        let limit = Duration.seconds(1) + saidByAlice.longestPause + saidByBob.longestPause + delays.end()
        for (heard, said, first, ssrc) in [
            (bob.takeReceivedAudio(), saidByAlice, alicesFirst, call.aliceSSRC),
            (alice.takeReceivedAudio(), saidByBob, bobsFirst, call.bobSSRC),
        ] {
            let recording = Recording(heard, of: said, from: first)
            recording.expectSound(ssrc: ssrc)
            #expect(recording.missing(outside: cut...(back + limit)).isEmpty, "from the reconnection to complete audio")
        }
        #expect(bob.told.count == toldBob, "Bob is told nothing: \(bob.told.dropFirst(toldBob))")
        for event in alice.told.dropFirst(toldAlice) {
            switch event {
            case .connectionLost, .resumed: continue
            default: Issue.record("nothing has changed for Alice: \(event)")
            }
        }
        for (phone, uuid) in [(alice, call.outgoing), (bob, call.incoming)] {
            let calls = try await phone.client.calls()
            #expect(calls.map(\.uuid) == [uuid])
            #expect(calls.map(\.state) == [.connected])
            #expect(calls.map(\.connectedAt) == [connectedAt])
        }
    }

    @Test func `a hundred successive resumes during a call succeed`() async throws {
        let call = try await FaultyCall(TestHub())
        let (alice, bob) = (call.alice, call.bob)
        let toldBob = bob.told.count
        let (alices, bobs) = (NumberedAudioSender(alice.client), NumberedAudioSender(bob.client))
        let alicesFirst = try await bob.waitForSteadyAudio(alices)
        let bobsFirst = try await alice.waitForSteadyAudio(bobs)
        var outages: [ClosedRange<Instant>] = []
        for number in 0..<100 {
            let cut = Instant.monotonic
            if number.isMultiple(of: 2) { call.link.reset() } else { alice.client.breakConnection() }
            try await alice.next("resume \(number)") { if case .resumed = $0 { true } else { nil } }
            outages.append(cut...Instant.monotonic)
        }
        await alices.reaches(alices.count + 10)
        let (saidByAlice, saidByBob) = (alices.stop(), bobs.stop())
        try await alice.settle()
        try await bob.settle()
        try await alice.settle()
        let all = outages[0].lowerBound...outages[99].upperBound
        for (heard, said, first, ssrc) in [
            (bob.takeReceivedAudio(), saidByAlice, alicesFirst, call.aliceSSRC),
            (alice.takeReceivedAudio(), saidByBob, bobsFirst, call.bobSSRC),
        ] {
            let recording = Recording(heard, of: said, from: first)
            recording.expectSound(ssrc: ssrc)
            #expect(recording.missing(outside: all).isEmpty)
        }
        #expect(bob.told.count == toldBob, "Bob is told nothing: \(bob.told.dropFirst(toldBob))")
        #expect(!alice.told.contains { if case .missedNotifications = $0 { true } else { false } })
        #expect(try call.hub.metric("callhub_resumes_total") >= 100)
        #expect(try call.hub.metric("callhub_sessions") == 2)
        #expect(try call.hub.metric("callhub_calls") == 2)
    }

    @Test func `notifications during the outage are received afterwards, once and in order`() async throws {
        let call = try await FaultyCall(TestHub())
        let (alice, bob) = (call.alice, call.bob)
        let carol = try await call.hub.phone("carol")
        call.link.refuse()
        call.link.reset()
        try await alice.next("a lost connection") { if case .connectionLost = $0 { true } else { nil } }
        let told = alice.told.count
        try await bob.client.setHeld(call.incoming, true)
        try await bob.client.setHeld(call.incoming, false)
        try await bob.client.playDTMF("12#", on: call.incoming)
        try await bob.client.setMuted(call.incoming, true)
        try await carol.client.start(.generic("alice"))
        try await carol.call("rings on Alice's device") { $0.remoteIsRinging }
        try await bob.client.end(call.incoming)
        try await bob.call("has ended") { $0.hasEnded }
        call.link.restore()
        let ended = try await alice.call("has ended") { $0.hasEnded }
        #expect(ended.endedReason == .remoteEnded)
        try await alice.settle()
        let words = alice.told.dropFirst(told).map(Self.word)
        #expect(
            words == [
                "resumed", "hears []", "bob connected held by the other side", "hears [bob]", "bob connected",
                "digits 1", "digits 2", "digits #", "carol ringing", "bob ended", "carol ringing", "hears []",
                "audio off", "recents changed",
            ]
        )
        let ringing = try #require(alice.client.currentCalls.first)
        #expect(ringing.remoteHandle == .generic("carol"))
        try await alice.client.answer(ringing.uuid)
        try await carol.call("is connected") { $0.state == .connected }
    }

    private static func word(_ event: ClientEvent) -> String {
        switch event {
        case .notification(.callChanged(let call)):
            "\(call.remoteHandle.value) \(call.state)\(call.remoteIsOnHold ? " held by the other side" : "")"
        case .notification(.audioSources(let sources)): "hears [\(sources.map(\.name).joined(separator: " "))]"
        case .notification(.dtmf(_, let digits, _)): "digits \(digits)"
        case .notification(.didDeactivateAudioSession): "audio off"
        case .notification(.didActivateAudioSession): "audio on"
        case .notification(.changed(let topic)): "\(topic) changed"
        case .resumed: "resumed"
        default: "\(event)"
        }
    }
}

extension Instant {
    /// Now, by the clock of `ReceivedAudio.arrival`.
    static var monotonic: Instant {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }
}
