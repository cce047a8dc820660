import Foundation
import Testing

@testable import ScenarioKit

@Suite struct LadderTests {
    @Test func `an interval without events is folded, and labelled with its duration`() {
        var builder = RunResultBuilder("quiet", [DeviceReference("alice")])
        builder.step("alice speaks")
        builder.advance(399)
        builder.step("wait 2 s")
        builder.advance(2_000)
        builder.step("alice is silent")
        let ladder = Ladder(builder.end())
        #expect(ladder.rows.map { $0.quiet?.wholeMilliseconds } == [nil, nil, 2_000])
    }

    @Test func `a notification to several devices at once is one row`() {
        var builder = RunResultBuilder(
            "at once",
            [DeviceReference("alice"), DeviceReference("bob"), DeviceReference("carol")]
        )
        for device in 0..<3 { builder.addNotification(device, "call.changed", "A connected", after: 500) }
        builder.addNotification(0, "call.changed", "again")
        #expect(Ladder(builder.end()).rows.map { $0.arrows.map(\.device) } == [[0, 1, 2], [0]])
    }

    @Test func `simultaneous messages are in the order in which they occurred`() throws {
        let record = try runScenario("alice calls bob as A\nbob: accept A")
        #expect(Set(record.devices.flatMap { $0.messages.map(\.at) }).count < 5)
        let words = Ladder(record).rows.flatMap { row in
            row.step.map { ["▸ \(record.steps[$0].text)"] } ?? row.arrows.map { "\($0.device) \($0.message.summary)" }
        }
        let builder = [
            "0 sign in", "0 signed in", "▸ alice calls bob as A", "0 call bob as A",
            "1 A ringing, offers accept, decline",
            "▸ bob: accept A", "1 answer A", "0 A connected",
        ]
        let places = try builder.map { try #require(words.firstIndex(of: $0), "\($0)") }
        #expect(places == places.sorted(), "\(words)")
        let trace = TraceFile([record]).text
        let inTrace = try ["A ringing", "answer A", "\"A connected"].map { word in
            try #require(trace.range(of: word)).lowerBound
        }
        #expect(inTrace == inTrace.sorted())
    }

    @Test func `a single leaked audio frame is high enough to be visible`() {
        var builder = RunResultBuilder("leak", [DeviceReference("alice"), DeviceReference("bob")])
        builder.step("wait 300 ms")
        builder.advance(100)
        builder.hears(1, "alice")
        builder.advance(20)
        builder.hears(1)
        builder.advance(180)
        let plan = LadderPlan(Ladder(builder.end()))
        let spans = plan.ladder.devices[1].lanes.flatMap(\.spans)
        #expect(spans.map { ($0.end - $0.begin).wholeMilliseconds } == [20])
        #expect(spans.allSatisfy { plan.bar($0, x: 0, width: 7).height >= LadderHeights.bare })
    }

    @Test func `a voice that continues while another joins is one unbroken lane`() {
        var builder = RunResultBuilder(
            "join",
            [DeviceReference("alice"), DeviceReference("bob"), DeviceReference("carol")]
        )
        builder.hears(0, "bob")
        builder.advance(100)
        builder.hears(0, "bob", "carol")
        builder.advance(100)
        #expect(Ladder(builder.end()).devices[0].lanes.map(\.spans.count) == [1, 1])
    }

    @Test func `a text ladder shows messages, active audio sessions and received audio`() {
        var builder = RunResultBuilder("Bob answers", [DeviceReference("alice"), DeviceReference("bob")], seed: 7)
        builder.step("alice calls bob as A")
        builder.addRequest(0, "transaction.request", "start A to bob")
        builder.addNotification(1, "call.changed", "A ringing, from alice")
        builder.advance(20)
        builder.step("bob: accept A", note: "after 1 ms")
        builder.addRequest(1, "transaction.request", "answer A", refusal: "callEnded")
        builder.activate(1, ["A"])
        builder.activate(0, ["A"])
        builder.advance(30)
        builder.hears(0, "bob")
        builder.advance(500)
        #expect(
            LadderText(builder.end()).text == """
                Bob answers
                passed · 0.557 s · seed 7

                          alice     hub    bob
                   0.000   │         ║       │  ▸ alice calls bob as A
                   0.000   │────────▶║       │    alice → start A to bob
                   0.003   │◀╌╌╌╌╌╌╌╌║       │    alice ← ok
                   0.003   │         ║──────▶│    bob ← A ringing, from alice
                   0.023   │         ║       │  ▸ bob: accept A (after 1 ms)
                   0.023   │         ║◀──────│    bob → answer A
                   0.027   │         ║──────▶│    bob ← refused: callEnded
                   0.027   ┃◀────────║──────▶┃    bob, alice ← audio on for A
                   0.057  b┃         ║       ┃
                          b⋮         ⋮       ⋮  500 ms
                   0.557   │         ║       │

                hears: b bob; ┃ audio session, ╎ held, ◆ connection, ⋮ quiet time

                """
        )
    }

    @Test func `Mermaid's special characters are written as character codes`() {
        var builder = RunResultBuilder("hostile", [DeviceReference("a;b#c")])
        builder.addNotification(0, "m", "x; y %%{init}%% <b> $$z$$: end\nloop forever")
        let text = LadderMermaid(builder.end()).text
        #expect(text.contains("participant d0 as a#59;b#35;c\n"))
        #expect(
            text.contains(
                "hub->>d0: x#59; y #37;#37;#123;init#125;#37;#37; #60;b#62; #36;#36;z#36;#36;#58; end loop forever\n"
            )
        )
    }
}
