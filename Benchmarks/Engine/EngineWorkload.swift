import BenchmarkSupport
import HubEngine

/// An engine with standing calls, and pairs that call each other beside them.
struct EngineWorkload {
    /// The pairs that call beside the standing calls: more than a first-level cache holds.
    private static let callers = 250
    /// Calls set up before the first of them ends.
    ///
    /// Higher: reading the clocks costs less a call; lower: fewer live calls besides the standing ones.
    private static let callsAtOnce = 25

    /// The number of standing calls.
    let standing: Int
    private var driver = EngineDriver()
    private var standingCalls: [LiveCall] = []
    private var callers: [Pair] = []
    private var turn = 0

    /// Sets the standing calls up: nine of ten are connected, one of ten keeps ringing, so that timers run too.
    init(standing: Int) throws(BenchmarkError) {
        self.standing = standing
        for number in 0..<standing {
            let pair = try driver.makePair(number)
            if number % 10 == 9 {
                _ = try driver.ring(pair)
            } else {
                standingCalls.append(try driver.setUp(pair))
            }
        }
        for number in 0..<Self.callers { callers.append(try driver.makePair(standing + number)) }
        try driver.verifySetUp(callers[0])
    }

    /// Measures one slice of every operation, each for at least so many nanoseconds.
    mutating func slice(nanoseconds: UInt64) throws(BenchmarkError) -> [Operation: RepetitionCost] {
        let before = driver.objectCounts
        let calls = try measureCalls(nanoseconds)
        let spans: [Operation: RepetitionCost] = [
            .transaction: try measureTransactions(nanoseconds),
            .setUp: calls.setUp,
            .end: calls.end,
            .call: calls.setUp + calls.end,
            .turnover: try measureTurnover(nanoseconds),
        ]
        guard driver.objectCounts == before else {
            throw BenchmarkError("calls are left, or gone: \(before) before the slice, \(driver.objectCounts) after")
        }
        return spans
    }

    private mutating func measureCalls(
        _ nanoseconds: UInt64
    ) throws(BenchmarkError) -> (setUp: RepetitionCost, end: RepetitionCost) {
        var setUp = RepetitionCost()
        var end = RepetitionCost()
        var live: [LiveCall] = []
        live.reserveCapacity(Self.callsAtOnce)
        while setUp.nanoseconds + end.nanoseconds < nanoseconds {
            let pairs = nextCallers()
            live.removeAll(keepingCapacity: true)
            try setUp.add(pairs.count) { () throws(BenchmarkError) in
                for place in pairs { live.append(try driver.setUp(callers[place])) }
            }
            try end.add(live.count) { () throws(BenchmarkError) in
                for call in live { driver.end(call) }
            }
        }
        return (setUp, end)
    }

    private mutating func measureTransactions(_ nanoseconds: UInt64) throws(BenchmarkError) -> RepetitionCost {
        let kinds: [ActionKind] = [
            .setMuted(true), .setMuted(false), .setHeld(true), .setHeld(false),
            .playDTMF(digits: "5", type: .singleTone),
        ]
        var live: [LiveCall] = []
        for place in nextCallers() { live.append(try driver.setUp(callers[place])) }
        defer { for call in live { driver.end(call) } }
        var span = RepetitionCost()
        while span.nanoseconds < nanoseconds {
            try span.add(live.count * kinds.count) { () throws(BenchmarkError) in
                for kind in kinds {
                    for call in live { driver.request(kind, on: call.outgoing, by: call.pair.caller) }
                }
            }
        }
        return span
    }

    private mutating func measureTurnover(_ nanoseconds: UInt64) throws(BenchmarkError) -> RepetitionCost {
        var random = SystemRandomNumberGenerator()
        var span = RepetitionCost()
        while span.nanoseconds < nanoseconds {
            let places = (0..<Self.callsAtOnce).map { _ in standingCalls.indices.randomElement(using: &random) ?? 0 }
            try span.add(places.count) { () throws(BenchmarkError) in
                for place in places {
                    driver.end(standingCalls[place])
                    standingCalls[place] = try driver.setUp(standingCalls[place].pair)
                }
            }
        }
        return span
    }

    /// Returns the indices of the next pairs in turn.
    private mutating func nextCallers() -> Range<Int> {
        let first = turn
        turn = (turn + Self.callsAtOnce) % callers.count
        return first..<(first + Self.callsAtOnce)
    }
}
