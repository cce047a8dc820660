import Testing

@testable import ScenarioKit

@Suite struct LadderPlanTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `no two labels of a ladder overlap, whatever the run`(seed: UInt64) {
        expectRoomForAll(SyntheticRuns.random(seed: seed))
    }

    @Test(arguments: [2, 5, 12])
    func `all labels of a conference fit`(size: Int) {
        expectRoomForAll(SyntheticRuns.conference(Array(SyntheticRuns.people.prefix(size))))
    }

    @Test(arguments: [false, true])
    func `all labels of a swap fit`(failing: Bool) {
        expectRoomForAll(SyntheticRuns.swap(failing: failing))
    }

    /// Texts are disjoint and within the picture; words beside a device are off its and others' bars and lanes.
    private func expectRoomForAll(_ record: RunResult) {
        let plan = LadderPlan(Ladder(record))
        let whole = Box(x: 0, y: 0, width: plan.width, height: plan.height)
        #expect(plan.texts.count > record.steps.count)
        #expect(plan.texts.allSatisfy { whole.encloses($0.box) }, "seed \(record.seed)")
        // By their tops, so that each is compared with its neighbours alone.
        let sorted = plan.texts.filter { $0.box.width > 0 }.sorted { $0.box.y < $1.box.y }
        for (index, text) in sorted.enumerated() {
            for next in sorted[(index + 1)...].prefix(while: { $0.box.y < text.box.bottom }) {
                #expect(!text.box.overlaps(next.box), "seed \(record.seed): \(text) and \(next)")
            }
        }
        let bars = bars(of: plan)
        for text in plan.texts where text.role == .message || text.role == .step || text.role == .note {
            #expect(!bars.contains { $0.overlaps(text.box) }, "seed \(record.seed): \(text)")
        }
    }

    /// Returns the boxes of everything with a duration, and of the hub.
    private func bars(of plan: LadderPlan) -> [Box] {
        let columns = plan.columns
        let hub = Box(x: columns.hub, y: plan.top, width: LadderColumns.hubWidth, height: plan.height)
        return [hub]
            + plan.ladder.devices.enumerated().flatMap { index, device in
                let column = columns.devices[index]
                let lanes = zip(device.lanes, column.lanes).flatMap { lane, x in
                    lane.spans.map { plan.bar($0, x: x, width: LadderColumns.laneWidth) }
                }
                let tracks = zip(device.tracks, column.tracks).flatMap { track, x in
                    (track.open + track.held).map { plan.bar($0, x: x, width: LadderColumns.trackWidth) }
                }
                return lanes + tracks
            }
    }

    @Test func `a label that does not fit is truncated, and its title is complete`() throws {
        var builder = RunResultBuilder("long", [DeviceReference("alice")])
        let long = String(repeating: "very long ", count: 20)
        builder.addNotification(0, "call.changed", long)
        let record = builder.end()
        let label = try #require(LadderPlan(Ladder(record)).texts.first { $0.role == .message })
        #expect(label.text.hasSuffix("…"))
        #expect(label.whole == long)
        #expect(LadderSVG(record).text.contains("<title>\(long)</title>"))
    }
}
