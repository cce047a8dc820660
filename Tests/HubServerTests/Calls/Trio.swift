import HubClient
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// Bob between a held call with Alice and an active one with Carol, over real sockets; a tone identifies each party.
struct Trio {
    static let tones = ["alice": 440.0, "bob": 660, "carol": 880]

    private static let packetsEach = 30

    let hub: TestHub
    let alice: TestPhone
    let bob: TestPhone
    let carol: TestPhone
    /// Bob's calls with the two, and their ends of them.
    let withAlice: (bob: CallUUID, alice: CallUUID)
    let withCarol: (bob: CallUUID, carol: CallUUID)
    /// The packets of each party.
    private let words: [String: [[UInt8]]]

    var phones: [(name: String, phone: TestPhone)] { [("alice", alice), ("bob", bob), ("carol", carol)] }

    init(
        _ configure: (inout HubSettings) -> Void = { _ in },
        delivery: [String: AudioDelivery] = [:]
    ) async throws {
        hub = try TestHub { settings in
            settings.transport.mixers = delivery.isEmpty ? 0 : 1
            configure(&settings)
        }
        func phone(_ hub: TestHub, _ name: String) async throws -> TestPhone {
            // Audio sent in a burst is not reported in time.
            try await hub.phone(name) {
                $0.timing.maximumUnreportedPackets = .max
                $0.audioDelivery = delivery[name] ?? .streams
            }
        }
        (alice, bob, carol) = (
            try await phone(hub, "alice"), try await phone(hub, "bob"), try await phone(hub, "carol")
        )
        words = try Self.tones.mapValues { try TestTone.packets(hertz: $0, count: Self.packetsEach) }

        let outgoing = try await alice.client.start(.generic("bob"))
        let incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        try await alice.call("is connected") { $0.state == .connected }
        withAlice = (incoming, outgoing)

        let second = try await bob.client.start(.generic("carol"))
        let ringing = try await carol.ringing().uuid
        try await carol.client.answer(ringing)
        try await bob.call("is connected with Carol") { $0.uuid == second && $0.state == .connected }
        withCarol = (second, ringing)
        try await alice.call("is held by Bob") { $0.remoteIsOnHold }
        try await settle()
    }

    /// Merges Bob's two calls.
    func merge() async throws {
        try await bob.client.setGroup(withAlice.bob, with: withCarol.bob)
        try await alice.call("is resumed by the other side") { !$0.remoteIsOnHold }
        try await settle()
    }

    /// Waits until all audio has been received, and all notifications have arrived.
    func settle() async throws {
        for _ in 0..<2 {
            for (_, phone) in phones { try await phone.settle() }
        }
    }

    /// Sends each party's tone; returns the tones that each has received, which must be those the hub has notified.
    func speakersHeardByListener(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String: Set<
        String
    >] {
        for (_, phone) in phones { _ = phone.takeReceivedAudio() }
        for (name, phone) in phones { try await phone.say(words[name] ?? []) }
        try await settle()
        try await streamsArrive()
        var ears: [String: Set<String>] = [:]
        for (name, phone) in phones {
            ears[name] = try Set(heard(by: phone, sourceLocation: sourceLocation))
            #expect(phone.strays.isEmpty, "\(name) hears nobody unnamed", sourceLocation: sourceLocation)
        }
        return ears
    }

    /// Waits until every stream of which a packet has arrived is whole.
    ///
    /// A loop that packets come to from another one may be behind with them when it answers pings.
    private func streamsArrive() async throws {
        let deadline = Deadline(seconds: 30)
        while !deadline.isOver {
            let streams = phones.flatMap { Dictionary(grouping: $0.phone.heard, by: \.ssrc).values }
            if streams.allSatisfy({ $0.count >= Self.packetsEach }) { return }
            try await settle()
        }
    }

    private func heard(by phone: TestPhone, sourceLocation: SourceLocation) throws -> [String] {
        try Dictionary(grouping: phone.takeReceivedAudio(), by: \.ssrc).map { ssrc, packets in
            let tone = try #require(try TestTone.heard(in: packets), sourceLocation: sourceLocation)
            let speaker = Self.tones.first { abs($0.value - tone) < 5 }?.key ?? "\(tone) Hz"
            let source = phone.sources.first { $0.ssrc == ssrc }
            #expect(source?.handle == .generic(speaker), sourceLocation: sourceLocation)
            expect(packets.map(\.payload), areThoseOf: speaker, sourceLocation)
            return speaker
        }
    }

    /// Every packet unchanged and in order.
    private func expect(_ heard: [[UInt8]], areThoseOf speaker: String, _ sourceLocation: SourceLocation) {
        let said = words[speaker] ?? []
        var rest = said[...]
        for payload in heard {
            guard let place = rest.firstIndex(of: payload) else {
                Issue.record(
                    "\(speaker) said nothing like \(payload), or said it before",
                    sourceLocation: sourceLocation
                )
                return
            }
            rest = rest[(place + 1)...]
        }
        let drops = (try? hub.metrics().filter { $0.key.contains("audio_packets") && $0.value > 0 }) ?? [:]
        #expect(heard.count == said.count, "\(drops): all that \(speaker) said", sourceLocation: sourceLocation)
    }

    /// The parties named to each phone as its audio sources, by handle.
    var named: [String: Set<String>] {
        Dictionary(uniqueKeysWithValues: phones.map { ($0.name, Set($0.phone.sources.map(\.handle.value))) })
    }

    static let everybody: [String: Set<String>] = [
        "alice": ["bob", "carol"], "bob": ["alice", "carol"], "carol": ["alice", "bob"],
    ]
    static let nobody: [String: Set<String>] = ["alice": [], "bob": [], "carol": []]
}
