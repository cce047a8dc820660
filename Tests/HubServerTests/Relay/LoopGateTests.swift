import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubServer

/// Loops that apply the hub's changes at different times, with packets in transit between them.
struct LoopGateTests {
    /// The progress of a loop that was woken, with the write positions of its inbound rings at that time.
    private enum WakeUpState {
        case asleep
        case marked([Int: Int])
        case obeyed([Int: Int])
    }

    /// Three devices on three loops, and the sources of each by its notifications.
    private struct Trial {
        let fixture: RelayFixture
        let devices: [SessionID]
        var ssrcs: [SessionID: [UInt32]] = [:]
        var random: SeededRandom
        var misheard = 0
        var heard = 0
        /// Packets of the first device, counted for each intended receiver.
        var saidByFirst = 0
        var heardOfFirst = 0
        private var wakeUpStates = [WakeUpState](repeating: .asleep, count: 3)
        private let isHubAtOnce: Bool

        init(seed: UInt64, isHubAtOnce: Bool = false) throws {
            let fixture = RelayFixture(seed: seed, loops: 3)
            self.isHubAtOnce = isHubAtOnce
            self.fixture = fixture
            devices = try (0..<3).map { try fixture.open("person\($0)") { $0.maximumCallGroups = 3 } }
            random = SeededRandom(seed: seed)
            for (caller, callee) in [(0, 1), (0, 2), (1, 2)] {
                _ = try fixture.change { try $0.connect(devices[caller], to: "person\(callee)", on: devices[callee]) }
            }
            noteSSRCs()
        }

        private mutating func noteSSRCs() {
            for device in devices {
                guard let ssrc = fixture.hub.engine.audioRoute(of: device).ssrc else { continue }
                if ssrcs[device, default: []].last != ssrc { ssrcs[device, default: []].append(ssrc) }
            }
        }

        /// Performs the next step of a loop that was woken; anything may happen between two steps.
        private mutating func wake(_ loop: Int) {
            switch wakeUpStates[loop] {
            case .asleep: wakeUpStates[loop] = .marked(fixture.marks(of: loop))
            case .marked(let marks):
                applyUpdates(loop)
                wakeUpStates[loop] = .obeyed(marks)
            case .obeyed(let marks):
                fixture.drainInboundRing(on: loop, enforcingGatesBefore: marks)
                wakeUpStates[loop] = .asleep
            }
        }

        private mutating func applyUpdates(_ loop: Int) {
            repeat {
                // Packets that arrived before an update of the hub are still forwarded by the update before it.
                fixture.drainInboundRing(on: loop)
                check()
            } while fixture.applyFirstUpdate(loop)
        }

        mutating func step() throws {
            let loop = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: act()
            case 1...18: wake(loop)
            default: speak(devices[loop])
            }
            // The hub's own loop executes commands at once.
            if isHubAtOnce { applyUpdates(0) }
            fixture.changeWithoutApplying { $0.wait(.milliseconds(20)) }
            check()
        }

        private mutating func speak(_ device: SessionID) {
            guard let ssrc = ssrcs[device]?.suffix(2).randomElement(using: &random) else { return }
            let route = fixture.hub.engine.audioRoute(of: device)
            if device == devices[0], ssrc == route.ssrc, route.gateReason == nil { saidByFirst += route.sinks.count }
            let number = Int(fixture.hub.now.nanoseconds / 20_000_000)
            fixture.receive(TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: number), from: device)
        }

        private mutating func check() {
            for (id, ssrc, _) in fixture.audioOutlet.sent {
                heard += 1
                if ssrcs[devices[0]]?.contains(ssrc) == true { heardOfFirst += 1 }
                if let device = fixture.device(at: id), fixture.told[device]?.contains(ssrc) == true { continue }
                misheard += 1
            }
            fixture.audioOutlet.sent = []
        }

        /// Performs the remaining work of all loops.
        mutating func finish() {
            for _ in 0..<6 {
                for loop in 0..<3 { wake(loop) }
            }
            check()
        }

        private mutating func act() {
            guard let device = devices.randomElement(using: &random),
                let call = fixture.hub.calls(device).randomElement(using: &random)
            else { return }
            let isOnHold = Int.random(in: 0..<3, using: &random) == 0
            _ = fixture.changeWithoutApplying { $0.request(device, call.uuid, .setHeld(isOnHold)) }
            noteSSRCs()
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `once notified of a hold, a party receives no more audio, on any loop`(
        seed: UInt64
    ) throws {
        var trial = try Trial(seed: seed)
        for _ in 0..<2500 { try trial.step() }
        #expect(trial.misheard == 0)
        #expect(trial.heard > 20, "enough packets were received")
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `audio sent on the hub's own loop while it is permitted is received, however late other loops are`(
        seed: UInt64
    ) throws {
        var trial = try Trial(seed: seed, isHubAtOnce: true)
        trial.fixture.staleAfter = .max / 4
        for _ in 0..<2500 { try trial.step() }
        trial.finish()
        #expect(trial.heardOfFirst == trial.saidByFirst)
        #expect(trial.saidByFirst > 20, "enough packets were received")
        #expect(trial.misheard == 0)
    }

    @Test func `a device that reconnects on another loop sends and receives audio there`() throws {
        let fixture = RelayFixture(loops: 3)
        let (alice, bob) = (try fixture.open("alice"), try fixture.open("bob"))
        _ = try fixture.change { try $0.connect(alice, to: "bob", on: bob) }
        func ssrc(_ device: SessionID) -> UInt32 { fixture.hub.engine.audioRoute(of: device).ssrc ?? 0 }
        for loop in [2, 0, 1, 0] {
            fixture.move(bob, to: loop)
            fixture.applyAllUpdates()
            fixture.change { $0.wait(.milliseconds(20)) }
            #expect(fixture.send(from: alice, ssrc: ssrc(alice)) == [bob], "bob on loop \(loop)")
            #expect(fixture.send(from: bob, ssrc: ssrc(bob)) == [alice], "bob on loop \(loop)")
        }
    }

    @Test func `a packet that becomes stale between two loops is dropped and counted`() throws {
        let fixture = RelayFixture(loops: 2)
        let (alice, bob) = (try fixture.open("alice"), try fixture.open("bob"))
        _ = try fixture.change { try $0.connect(alice, to: "bob", on: bob) }
        let ssrc = fixture.hub.engine.audioRoute(of: alice).ssrc ?? 0
        fixture.receive(TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: 0), from: alice)
        fixture.change { $0.wait(.milliseconds(200)) }
        fixture.drainInboundRing(on: 1, enforcingGatesBefore: fixture.marks(of: 1))
        #expect(fixture.audioOutlet.sent.isEmpty)
        #expect(fixture.relays[1].dropped(.overload) == 1)
    }
}
