import HubSimulation
import ScenarioKit

/// Runs that never were, for reports to be tried and looked at.
enum InventedRuns {
    /// Carol swaps between two callers, merges them and drops one.
    static func swap(failing: Bool = false) -> RunRecord {
        let (alice, bob, carol) = (0, 1, 2)
        var story = Story(
            "Carol swaps between two callers, merges them and drops one",
            [Who("alice"), Who("bob"), Who("carol")]
        )
        call(&story, from: alice, "alice", to: carol, "carol", "A")
        story.step("bob calls carol as B")
        story.ask(bob, "transaction.request", "start B to carol")
        story.tell(carol, "call.changed", "B ringing, from bob")
        story.pass(40)
        story.step("carol: hold and accept B", note: "after 1 ms")
        story.ask(carol, "transaction.request", "hold A, answer B")
        silence(&story, alice, carol)
        story.hold(carol, "A")
        story.deactivate(carol)
        story.deactivate(alice)
        story.tell(alice, "call.changed", "A held by remote")
        story.activate(carol, ["B"])
        story.activate(bob, ["B"])
        story.pass(24)
        story.hears(bob, "carol")
        story.hears(carol, "bob")
        story.hears(alice, [.music])
        story.step("expect bob hears carol", note: "after 24 ms")
        story.pass(900)
        swap(&story, carol, on: (alice, "alice", "A"), off: (bob, "bob", "B"), leaking: failing)
        if failing {
            story.step("expect bob never heard carol")
            story.pass(2_000)
            let came = "bob heard carol for 60 ms from 1.110 s on, while B was held: 3 frames after the hold was told."
            let last = story.record.steps.count - 1
            let leak = story.record.devices[bob].heard.last?.end
            return story.end(
                .failed(Failure(step: last, expected: "bob never hears carol while B is held.", came: came, at: leak))
            )
        }
        swap(&story, carol, on: (bob, "bob", "B"), off: (alice, "alice", "A"), leaking: false)
        merge(&story)
        return story.end()
    }

    /// The merge, and the end of one call.
    private static func merge(_ story: inout Story) {
        let (alice, bob, carol) = (0, 1, 2)
        story.step("carol: merge A with B")
        story.ask(carol, "transaction.request", "group A with B")
        story.unhold(carol, "A")
        story.tell(carol, "call.changed", "A grouped with B")
        story.activate(alice, ["A"])
        story.tell(bob, "call.changed", "B in a group")
        story.pass(22)
        story.hears(alice, "bob", "carol")
        story.hears(bob, "alice", "carol")
        story.hears(carol, "alice", "bob")
        story.step("expect alice hears bob and carol", note: "after 22 ms")
        story.pass(300)
        story.step("carol: end B")
        story.ask(carol, "transaction.request", "end B")
        story.hears(bob)
        story.tell(bob, "call.ended", "B ended: remoteEnded")
        story.deactivate(bob)
        story.hears(alice, "carol")
        story.hears(carol, "alice")
        story.step("expect alice hears carol", note: "at once")
        story.pass(80)
    }

    private static func call(
        _ story: inout Story,
        from caller: Int,
        _ callerName: String,
        to callee: Int,
        _ calleeName: String,
        _ name: String
    ) {
        story.step("\(callerName) calls \(calleeName) as \(name)")
        story.ask(caller, "transaction.request", "start \(name) to \(calleeName)")
        story.tell(callee, "call.changed", "\(name) ringing, from \(callerName)")
        story.tell(caller, "call.changed", "\(name) connecting")
        story.pass(31)
        story.step("\(calleeName): accept \(name)", note: "after 0 ms")
        story.ask(callee, "transaction.request", "answer \(name)")
        story.activate(callee, [name])
        story.activate(caller, [name])
        story.pass(26)
        story.hears(caller, calleeName)
        story.hears(callee, callerName)
        story.pass(60)
    }

    private static func silence(_ story: inout Story, _ one: Int, _ other: Int) {
        story.hears(one)
        story.hears(other)
    }

    private static func swap(
        _ story: inout Story,
        _ carol: Int,
        on: (device: Int, name: String, call: String),
        off: (device: Int, name: String, call: String),
        leaking: Bool
    ) {
        story.step("carol: swap")
        story.ask(carol, "transaction.request", "hold \(off.call), unhold \(on.call)")
        story.hold(carol, off.call)
        story.hears(carol)
        if !leaking { story.hears(off.device) }
        story.deactivate(carol)
        story.deactivate(off.device)
        story.tell(off.device, "call.changed", "\(off.call) held by remote")
        story.unhold(carol, on.call)
        story.activate(carol, [on.call])
        story.activate(on.device, [on.call])
        story.pass(24)
        story.hears(on.device, "carol")
        story.hears(carol, on.name)
        if leaking { story.pass(36) }
        story.hears(off.device, [.music])
        story.step("expect \(on.name) hears carol", note: "after 24 ms")
        story.pass(450)
    }

    /// A conference that grows to so many: the first one calls everybody, one after the other, and merges.
    static func conference(_ names: [String]) -> RunRecord {
        var devices = names.map { Who($0) }
        devices[1].device = "laptop"
        var story = Story("\(names[0]) gathers \(names.count - 1) others in one group, one after the other", devices)
        for (index, name) in names.enumerated().dropFirst() {
            let call = String(UnicodeScalar(UInt8(64 + index)))
            Self.call(&story, from: 0, names[0], to: index, name, call)
            if index == 3 {
                story.step("\(name) cannot hold Z: unknownCall")
                story.ask(index, "transaction.request", "hold Z", refusal: "unknownCall: there is no such call")
            }
            if index == 4 {
                story.note(index, .connection, "drops", "drops without a word")
                story.pass(1_600)
                story.note(index, .connection, "resumes", "resumes")
                story.pass(3)
            }
            guard index > 1 else { continue }
            story.step("\(names[0]): merge A with \(call)")
            story.ask(0, "transaction.request", "group A with \(call)")
            story.deactivate(0)
            story.activate(0, (1...index).map { String(UnicodeScalar(UInt8(64 + $0))) })
            for other in 1...index { story.tell(other, "call.changed", "in a group of \(index + 1)", after: 100) }
            for listener in 0...index {
                story.hears(listener, names[...index].filter { $0 != names[listener] }.map(Voice.party))
            }
            story.step("expect \(name) hears \(names[0])", note: "after 12 ms")
            story.pass(240)
        }
        return story.end()
    }

    static let people = [
        "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "niaj",
    ]

    /// Anything at all, also what no runner would write.
    static func random(seed: UInt64) -> RunRecord {
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
        var story = Story(word(&random), (0..<count).map { Who("p\($0) " + word(&random)) }, seed: seed)
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            let device = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: story.step(word(&random), note: Bool.random(using: &random) ? word(&random) : nil, depth: device)
            case 1: story.pass(Int.random(in: 0...3_000, using: &random))
            case 2: story.activate(device, device.isMultiple(of: 2) ? ["A", "Transfer"] : [])
            case 3: story.deactivate(device)
            case 4: story.hold(device, "A")
            case 5: story.unhold(device, "A")
            case 6, 7:
                let heard = story.record.devices.map { Voice.party($0.who.party) } + [.music, .tone]
                story.hears(device, heard.filter { _ in Bool.random(using: &random) })
            case 8: story.note(device, .connection, "drops", word(&random))
            case 9: story.ask(device, word(&random), word(&random), refusal: word(&random))
            default: story.tell(device, "call.changed", word(&random), after: Int.random(in: 0...5_000, using: &random))
            }
        }
        let failure = Failure(step: seed.isMultiple(of: 2) ? 0 : nil, expected: word(&random), came: word(&random))
        return story.end(Bool.random(using: &random) ? .passed : .failed(failure))
    }
}
