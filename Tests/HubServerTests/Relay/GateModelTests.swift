import HubEngine
import HubSimulation
import HubTestSupport
import Testing

/// A model of the audio gates that derives the receivers of a packet from the devices' call snapshots alone.
///
/// See docs/protocol.md, Audio.
private struct AudioGateModel {
    /// Two ends of one call.
    struct CallEnds {
        let devices: [SessionID]
        let calls: [CallUUID]
    }

    let lines: [CallEnds]
    /// The call snapshots that each device has received.
    let seen: [SessionID: [CallUUID: CallSnapshot]]

    /// The devices that must receive a packet of a device.
    func listeners(of speaker: SessionID) -> Set<SessionID> {
        var listeners: Set<SessionID> = []
        for (line, end) in ends(of: speaker) where isOpen(line) {
            guard let own = seen[speaker]?[line.calls[end]], !own.isMuted else { continue }
            let other = line.devices[1 - end]
            listeners.insert(other)
            // Behind it, all parties that it has merged with this call; the sender's own group is its own calls.
            let group = seen[other]?[line.calls[1 - end]]?.group
            for (further, place) in ends(of: other) where group != nil && isOpen(further) {
                if seen[other]?[further.calls[place]]?.group == group { listeners.insert(further.devices[1 - place]) }
            }
        }
        return listeners.subtracting([speaker])
    }

    /// Indicates that both ends of a call are connected and neither is held.
    func isOpen(_ line: CallEnds) -> Bool {
        (0...1).allSatisfy { seen[line.devices[$0]]?[line.calls[$0]]?.state == .connected }
    }

    private func ends(of device: SessionID) -> [(CallEnds, Int)] {
        lines.flatMap { line in (0...1).filter { line.devices[$0] == device }.map { (line, $0) } }
    }
}

/// Five parties that call, merge, split, hold, mute and hang up at random, with constant audio.
struct GateModelTests {
    private struct Party {
        let fixture: RelayFixture
        let devices: [SessionID]
        var lines: [AudioGateModel.CallEnds] = []
        var random: SeededRandom

        init(seed: UInt64, loops: Int) throws {
            let fixture = RelayFixture(seed: seed, loops: loops)
            self.fixture = fixture
            devices = try (0..<5).map { number in
                try fixture.open("person\(number)") {
                    $0.maximumCallGroups = 3
                }
            }
            random = SeededRandom(seed: seed)
        }

        var model: AudioGateModel {
            let seen = devices.map { device in
                (device, Dictionary(uniqueKeysWithValues: fixture.hub.calls(device).map { ($0.uuid, $0) }))
            }
            return AudioGateModel(lines: lines, seen: Dictionary(uniqueKeysWithValues: seen))
        }

        /// Performs a random request, which the hub may refuse.
        mutating func act() throws {
            guard let device = devices.randomElement(using: &random) else { return }
            let calls = fixture.hub.calls(device)
            guard let call = calls.randomElement(using: &random)?.uuid, Int.random(in: 0..<5, using: &random) > 0 else {
                return try place(from: device)
            }
            let merges = (0..<4).map { _ in ActionKind.setGroup(with: calls.randomElement(using: &random)?.uuid) }
            let kinds: [ActionKind] =
                merges + [
                    .setHeld(Bool.random(using: &random)), .setHeld(false), .setMuted(Bool.random(using: &random)),
                    .setGroup(with: nil), .end,
                ]
            guard let kind = kinds.randomElement(using: &random) else { return }
            _ = fixture.change { $0.request(device, call, kind) }
        }

        private mutating func place(from device: SessionID) throws {
            guard let other = devices.indices.randomElement(using: &random), devices[other] != device else { return }
            let callee = devices[other]
            let outgoing = fixture.change { $0.start(device, to: "person\(other)") }
            guard let ringing = fixture.hub.ringing(callee) else { return }
            guard fixture.change({ $0.request(callee, ringing.uuid, .answer) }) == nil else {
                _ = fixture.change { $0.request(callee, ringing.uuid, .end) }
                return
            }
            lines.append(AudioGateModel.CallEnds(devices: [device, callee], calls: [outgoing, ringing.uuid]))
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>, [1, 3])
    func `in random groups each packet is forwarded as in a simple model, never to its sender (CK-47, CK-67)`(
        seed: UInt64,
        loops: Int
    ) throws {
        var party = try Party(seed: seed, loops: loops)
        var delivered = 0
        var largest = 0
        for step in 0..<240 {
            try party.act()
            party.fixture.change { $0.wait(.milliseconds(20)) }
            let model = party.model
            for device in party.devices {
                let ssrc = party.fixture.hub.engine.audioRoute(of: device).ssrc ?? 0
                let listeners = party.fixture.send(from: device, ssrc: ssrc)
                #expect(Set(listeners) == model.listeners(of: device), "seed \(seed), step \(step)")
                #expect(Set(listeners).count == listeners.count, "seed \(seed), step \(step): a duplicate")
                delivered += listeners.count
                largest = max(largest, listeners.count)
            }
        }
        #expect(delivered > 300, "enough packets were forwarded")
        #expect(largest >= 3, "and groups of four or more")
        #expect(party.fixture.hub.violations == [])
    }
}
