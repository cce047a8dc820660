import BenchmarkSupport
import HubEngine

/// The proof that the benchmark measures real calls: one call is checked on every device before any time is taken.
extension EngineDriver {
    /// Sets a call up and ends it, and checks that every device receives its notifications.
    mutating func verifySetUp(_ pair: Pair) throws(BenchmarkError) {
        let before = objectCounts
        let call = try ring(pair)
        for device in pair.callee.devices { try expect(.ringing, told: device) }
        request(.answer, on: call.incoming, by: pair.callee)
        try expect(.connected, told: pair.callee.devices[0])
        try expect(.connected, told: pair.caller.devices[0])
        try expect(.ended, .answeredElsewhere, told: pair.callee.devices[1])
        end(call)
        try expect(.ended, told: pair.caller.devices[0])
        try expect(.ended, .remoteEnded, told: pair.callee.devices[0])
        guard objectCounts == before else {
            throw BenchmarkError("a call left something behind: \(before) before it, \(objectCounts) after")
        }
    }

    private func expect(
        _ state: CallSnapshot.State,
        _ reason: EndReason? = nil,
        told device: SessionID
    ) throws(BenchmarkError) {
        for case .notify(device, .callChanged(let call)) in effects
        where call.state == state && call.endedReason == reason {
            return
        }
        throw BenchmarkError("a device was not notified of \(state.rawValue): \(effects)")
    }
}
