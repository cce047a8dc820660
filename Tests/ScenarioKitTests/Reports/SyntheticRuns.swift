import HubSimulation
import ScenarioKit

/// Synthetic runs for the tests of reports.
enum SyntheticRuns {
    /// Carol swaps between two callers, merges them and drops one.
    static func swap(failing: Bool = false) -> RunResult {
        let (alice, bob, carol) = (0, 1, 2)
        var builder = RunResultBuilder(
            "Carol swaps between two callers, merges them and drops one",
            [DeviceReference("alice"), DeviceReference("bob"), DeviceReference("carol")]
        )
        call(&builder, from: alice, "alice", to: carol, "carol", "A")
        builder.step("bob calls carol as B")
        builder.addRequest(bob, "transaction.request", "start B to carol")
        builder.addNotification(carol, "call.changed", "B ringing, from bob")
        builder.advance(40)
        builder.step("carol: hold and accept B", note: "after 1 ms")
        builder.addRequest(carol, "transaction.request", "hold A, answer B")
        silence(&builder, alice, carol)
        builder.hold(carol, "A")
        builder.deactivate(carol)
        builder.deactivate(alice)
        builder.addNotification(alice, "call.changed", "A held by remote")
        builder.activate(carol, ["B"])
        builder.activate(bob, ["B"])
        builder.advance(24)
        builder.hears(bob, "carol")
        builder.hears(carol, "bob")
        builder.hears(alice, [.music])
        builder.step("expect bob hears carol", note: "after 24 ms")
        builder.advance(900)
        swap(&builder, carol, on: (alice, "alice", "A"), off: (bob, "bob", "B"), leaking: failing)
        if failing {
            builder.step("expect bob never heard carol")
            builder.advance(2_000)
            let actual =
                "bob heard carol for 60 ms from 1.110 s on, while B was held: 3 frames after the hold was told."
            let last = builder.record.steps.count - 1
            let leak = builder.record.devices[bob].receivedVoices.last?.end
            return builder.end(
                .failed(
                    Failure(step: last, expected: "bob never hears carol while B is held.", actual: actual, at: leak)
                )
            )
        }
        swap(&builder, carol, on: (bob, "bob", "B"), off: (alice, "alice", "A"), leaking: false)
        merge(&builder)
        return builder.end()
    }

    /// The merge, and the end of one call.
    private static func merge(_ builder: inout RunResultBuilder) {
        let (alice, bob, carol) = (0, 1, 2)
        builder.step("carol: merge A with B")
        builder.addRequest(carol, "transaction.request", "group A with B")
        builder.unhold(carol, "A")
        builder.addNotification(carol, "call.changed", "A grouped with B")
        builder.activate(alice, ["A"])
        builder.addNotification(bob, "call.changed", "B in a group")
        builder.advance(22)
        builder.hears(alice, "bob", "carol")
        builder.hears(bob, "alice", "carol")
        builder.hears(carol, "alice", "bob")
        builder.step("expect alice hears bob and carol", note: "after 22 ms")
        builder.advance(300)
        builder.step("carol: end B")
        builder.addRequest(carol, "transaction.request", "end B")
        builder.hears(bob)
        builder.addNotification(bob, "call.ended", "B ended: remoteEnded")
        builder.deactivate(bob)
        builder.hears(alice, "carol")
        builder.hears(carol, "alice")
        builder.step("expect alice hears carol", note: "at once")
        builder.advance(80)
    }

    private static func call(
        _ builder: inout RunResultBuilder,
        from caller: Int,
        _ callerName: String,
        to callee: Int,
        _ calleeName: String,
        _ name: String
    ) {
        builder.step("\(callerName) calls \(calleeName) as \(name)")
        builder.addRequest(caller, "transaction.request", "start \(name) to \(calleeName)")
        builder.addNotification(callee, "call.changed", "\(name) ringing, from \(callerName)")
        builder.addNotification(caller, "call.changed", "\(name) connecting")
        builder.advance(31)
        builder.step("\(calleeName): accept \(name)", note: "after 0 ms")
        builder.addRequest(callee, "transaction.request", "answer \(name)")
        builder.activate(callee, [name])
        builder.activate(caller, [name])
        builder.advance(26)
        builder.hears(caller, calleeName)
        builder.hears(callee, callerName)
        builder.advance(60)
    }

    private static func silence(_ builder: inout RunResultBuilder, _ one: Int, _ other: Int) {
        builder.hears(one)
        builder.hears(other)
    }

    private static func swap(
        _ builder: inout RunResultBuilder,
        _ carol: Int,
        on: (device: Int, name: String, call: String),
        off: (device: Int, name: String, call: String),
        leaking: Bool
    ) {
        builder.step("carol: swap")
        builder.addRequest(carol, "transaction.request", "hold \(off.call), unhold \(on.call)")
        builder.hold(carol, off.call)
        builder.hears(carol)
        if !leaking { builder.hears(off.device) }
        builder.deactivate(carol)
        builder.deactivate(off.device)
        builder.addNotification(off.device, "call.changed", "\(off.call) held by remote")
        builder.unhold(carol, on.call)
        builder.activate(carol, [on.call])
        builder.activate(on.device, [on.call])
        builder.advance(24)
        builder.hears(on.device, "carol")
        builder.hears(carol, on.name)
        if leaking { builder.advance(36) }
        builder.hears(off.device, [.music])
        builder.step("expect \(on.name) hears carol", note: "after 24 ms")
        builder.advance(450)
    }

    /// A conference of several parties: the first one calls all others, one after the other, and merges.
    static func conference(_ names: [String]) -> RunResult {
        var devices = names.map { DeviceReference($0) }
        devices[1].device = "laptop"
        var builder = RunResultBuilder(
            "\(names[0]) gathers \(names.count - 1) others in one group, one after the other",
            devices
        )
        for (index, name) in names.enumerated().dropFirst() {
            let call = String(UnicodeScalar(UInt8(64 + index)))
            Self.call(&builder, from: 0, names[0], to: index, name, call)
            if index == 3 {
                builder.step("\(name) cannot hold Z: unknownCall")
                builder.addRequest(
                    index,
                    "transaction.request",
                    "hold Z",
                    refusal: "unknownCall: there is no such call"
                )
            }
            if index == 4 {
                builder.note(index, .connection, "drops", "drops without a word")
                builder.advance(1_600)
                builder.note(index, .connection, "resumes", "resumes")
                builder.advance(3)
            }
            guard index > 1 else { continue }
            builder.step("\(names[0]): merge A with \(call)")
            builder.addRequest(0, "transaction.request", "group A with \(call)")
            builder.deactivate(0)
            builder.activate(0, (1...index).map { String(UnicodeScalar(UInt8(64 + $0))) })
            for other in 1...index {
                builder.addNotification(other, "call.changed", "in a group of \(index + 1)", after: 100)
            }
            for listener in 0...index {
                builder.hears(listener, names[...index].filter { $0 != names[listener] }.map(Voice.party))
            }
            builder.step("expect \(name) hears \(names[0])", note: "after 12 ms")
            builder.advance(240)
        }
        return builder.end()
    }

    static let people = [
        "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "niaj",
    ]

    /// Returns a random run, which may contain records that no runner would write.
    static func random(seed: UInt64) -> RunResult {
        var random = SeededRandom(seed: seed)
        let hostile = [
            "<script>alert('1')</script>", "\"q\" & 'q'", "two\nlines", "\u{202E}right to left", "😀👩‍👩‍👧", "الف",
            "", "]]>",
        ]
        let word = { (random: inout SeededRandom) in
            Bool.random(using: &random)
                ? String(repeating: "abc defg ", count: Int.random(in: 1...12, using: &random))
                : hostile.randomElement(using: &random) ?? ""
        }
        let count = Int.random(in: 1...14, using: &random)
        var builder = RunResultBuilder(
            word(&random),
            (0..<count).map { DeviceReference("p\($0) " + word(&random)) },
            seed: seed
        )
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            let device = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: builder.step(word(&random), note: Bool.random(using: &random) ? word(&random) : nil, depth: device)
            case 1: builder.advance(Int.random(in: 0...3_000, using: &random))
            case 2: builder.activate(device, device.isMultiple(of: 2) ? ["A", "Transfer"] : [])
            case 3: builder.deactivate(device)
            case 4: builder.hold(device, "A")
            case 5: builder.unhold(device, "A")
            case 6, 7:
                let receivedVoices =
                    builder.record.devices.map { Voice.party($0.deviceReference.party) } + [.music, .tone]
                builder.hears(device, receivedVoices.filter { _ in Bool.random(using: &random) })
            case 8: builder.note(device, .connection, "drops", word(&random))
            case 9: builder.addRequest(device, word(&random), word(&random), refusal: word(&random))
            default:
                builder.addNotification(
                    device,
                    "call.changed",
                    word(&random),
                    after: Int.random(in: 0...5_000, using: &random)
                )
            }
        }
        let failure = Failure(step: seed.isMultiple(of: 2) ? 0 : nil, expected: word(&random), actual: word(&random))
        return builder.end(Bool.random(using: &random) ? .passed : .failed(failure))
    }
}
