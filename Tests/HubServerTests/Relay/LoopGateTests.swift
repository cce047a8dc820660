import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubServer

/// Loops that hear of the hub's changes at different times, with packets on their way between them.
struct LoopGateTests {
    /// Three people on three loops; whom each hears according to what it has been told.
    private struct Trial {
        let world: RelayWorld
        let devices: [SessionID]
        /// By loop, what its clients will be told in the same breath as its relay.
        var untold: [[SessionID: Set<UInt32>]] = [[:], [:], [:]]
        var told: [SessionID: Set<UInt32>] = [:]
        var ssrcs: [SessionID: [UInt32]] = [:]
        var random: SeededRandom
        var misheard = 0
        var heard = 0

        init(seed: UInt64) throws {
            let world = RelayWorld(seed: seed, loops: 3)
            self.world = world
            devices = try (0..<3).map { try world.open("person\($0)") { $0.maximumCallGroups = 3 } }
            random = SeededRandom(seed: seed)
            for (caller, callee) in [(0, 1), (0, 2), (1, 2)] {
                _ = try world.change { try $0.connect(devices[caller], to: "person\(callee)", on: devices[callee]) }
            }
            noteViews()
            for loop in 0..<3 { obey(loop) }
        }

        /// Whom each device hears by the engine's word.
        mutating func noteViews() {
            var heard: [SessionID: Set<UInt32>] = [:]
            for device in devices {
                let route = world.hub.engine.audioRoute(of: device)
                guard let ssrc = route.ssrc else { continue }
                if ssrcs[device, default: []].last != ssrc { ssrcs[device, default: []].append(ssrc) }
                for sink in route.sinks { heard[sink, default: []].insert(ssrc) }
            }
            for (loop, device) in devices.enumerated() { untold[loop][device] = heard[device] ?? [] }
        }

        mutating func obey(_ loop: Int) {
            // What has come before the hub's word is still heard by the word before.
            world.takeCrossed(on: loop, isFinal: false)
            check()
            world.obey(loop)
            for (device, view) in untold[loop] { told[device] = view }
        }

        mutating func step() throws {
            let loop = Int.random(in: 0..<3, using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: act()
            case 1...6: obey(loop)
            case 7...18: world.takeCrossed(on: loop)
            default:
                let device = devices[loop]
                guard let ssrc = ssrcs[device]?.suffix(2).randomElement(using: &random) else { return }
                let number = Int(world.hub.now.nanoseconds / 20_000_000)
                world.receive(TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: number), from: device)
            }
            world.changeSilently { $0.wait(.milliseconds(20)) }
            check()
        }

        private mutating func check() {
            for (id, ssrc) in world.notebook.sent {
                heard += 1
                if let device = world.device(at: id), told[device]?.contains(ssrc) == true { continue }
                misheard += 1
            }
            world.notebook.sent = []
        }

        private mutating func act() {
            guard let device = devices.randomElement(using: &random),
                let call = world.hub.calls(device).randomElement(using: &random)
            else { return }
            let isOnHold = Int.random(in: 0..<3, using: &random) == 0
            _ = world.changeSilently { $0.request(device, call.uuid, .setHeld(isOnHold)) }
            noteViews()
        }
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `whoever has been told that a call is held hears nothing more of it, on whatever loop the other is`(
        seed: UInt64
    ) throws {
        var trial = try Trial(seed: seed)
        for _ in 0..<2500 { try trial.step() }
        #expect(trial.misheard == 0)
        #expect(trial.heard > 20, "there was something to be heard")
    }

    @Test func `a device that comes back on another loop is heard and hears there`() throws {
        let world = RelayWorld(loops: 3)
        let (alice, bob) = (try world.open("alice"), try world.open("bob"))
        _ = try world.change { try $0.connect(alice, to: "bob", on: bob) }
        func ssrc(_ device: SessionID) -> UInt32 { world.hub.engine.audioRoute(of: device).ssrc ?? 0 }
        for loop in [2, 0, 1, 0] {
            world.move(bob, to: loop)
            world.obeyAll()
            world.change { $0.wait(.milliseconds(20)) }
            #expect(world.send(from: alice, ssrc: ssrc(alice)) == [bob], "bob on loop \(loop)")
            #expect(world.send(from: bob, ssrc: ssrc(bob)) == [alice], "bob on loop \(loop)")
        }
    }

    @Test func `what has grown old on its way between two loops is dropped and counted`() throws {
        let world = RelayWorld(loops: 2)
        let (alice, bob) = (try world.open("alice"), try world.open("bob"))
        _ = try world.change { try $0.connect(alice, to: "bob", on: bob) }
        let ssrc = world.hub.engine.audioRoute(of: alice).ssrc ?? 0
        world.receive(TestPhone.packet([0x78, 1, 2, 3], ssrc: ssrc, number: 0), from: alice)
        world.change { $0.wait(.milliseconds(200)) }
        world.takeCrossed(on: 1)
        #expect(world.notebook.sent.isEmpty)
        #expect(world.relays[1].dropped(.overload) == 1)
    }
}
