import HubEngine

/// Makes a schedule that breaks a rule as short as possible: delta debugging (Zeller and Hildebrandt's ddmin).
public struct Shrinker {
    private let rule: String
    private let faultInjection: World.FaultInjection?
    private var attempts = 0

    /// Returns the shortest schedule found that breaks the same rule.
    ///
    /// - Parameters:
    ///   - schedule: A schedule that breaks a rule when it is replayed.
    ///   - faultInjection: The planted fault, if there is one.
    /// - Returns: A schedule of which no operation can be left out; the given one if it breaks no rule.
    public static func shrink(_ schedule: Schedule, faultInjection: World.FaultInjection? = nil) -> Schedule {
        var shortest = schedule
        // With all devices checked after each event, another rule may be found broken earlier; or none, if only the
        // search's way of checking finds it.
        var rule = Simulation.replay(shortest, faultInjection: faultInjection).violation?.rule
        if rule == nil {
            shortest.checksEveryDevice = false
            rule = Simulation.replay(shortest, faultInjection: faultInjection).violation?.rule
        }
        guard let rule else { return schedule }
        var shrinker = Shrinker(rule: rule, faultInjection: faultInjection)
        while true {
            let former = shortest
            shrinker.leaveOut(from: &shortest)
            shrinker.leaveOutPairs(from: &shortest)
            shrinker.simplify(&shortest)
            if shortest == former || shrinker.attempts > 20_000 { return shortest }
        }
    }

    private init(rule: String, faultInjection: World.FaultInjection?) {
        self.rule = rule
        self.faultInjection = faultInjection
    }

    private mutating func breaks(_ schedule: Schedule) -> Bool {
        attempts += 1
        return Simulation.replay(schedule, faultInjection: faultInjection).violation?.rule == rule
    }

    /// Leaves out ever smaller runs of operations, from the end, since late operations depend on more.
    private mutating func leaveOut(from schedule: inout Schedule) {
        var size = max(1, schedule.operations.count / 2)
        while true {
            var end = schedule.operations.count
            while end > 0 {
                let start = max(0, end - size)
                var shorter = schedule
                shorter.operations.removeSubrange(start..<end)
                if breaks(shorter) { schedule = shorter }
                end = start
            }
            if size == 1 { return }
            size /= 2
        }
    }

    /// Leaves out two operations at a time, such as one and another that undoes it.
    private mutating func leaveOutPairs(from schedule: inout Schedule) {
        guard schedule.operations.count <= 40 else { return }
        var second = schedule.operations.count - 1
        while second > 0 {
            for first in (0..<second).reversed() {
                var shorter = schedule
                shorter.operations.remove(at: second)
                shorter.operations.remove(at: first)
                guard breaks(shorter) else { continue }
                schedule = shorter
                second -= 1
                break
            }
            second -= 1
        }
    }

    /// Replaces operations and devices by simpler ones that break the rule as well.
    private mutating func simplify(_ schedule: inout Schedule) {
        for place in schedule.operations.indices {
            for simpler in schedule.operations[place].simpler(in: schedule.shape) {
                var candidate = schedule
                candidate.operations[place] = simpler
                if candidate != schedule, breaks(candidate) { schedule = candidate }
            }
        }
        for place in schedule.shape.devices.indices {
            for simplify in WorldShape.Device.simplifications {
                var candidate = schedule
                simplify(&candidate.shape.devices[place])
                if candidate != schedule, breaks(candidate) { schedule = candidate }
            }
        }
    }
}

extension WorldShape.Device {
    fileprivate static let simplifications: [@Sendable (inout WorldShape.Device) -> Void] = [
        { $0.executesTransactions = false }, { $0.fulfillment = .automatic }, { $0.observes = false },
        { $0.mayCall = $0.operates == nil }, { $0.machine = nil }, { $0.provider = ProviderConfiguration() },
    ]
}

extension Operation {
    /// Returns simpler variants of the operation, the simplest first.
    fileprivate func simpler(in shape: WorldShape) -> [Operation] {
        func with(_ step: Step) -> Operation { Operation(device: device, step: step) }
        switch step {
        case .request(let requestedActions):
            let shorter = requestedActions.indices.filter { _ in requestedActions.count > 1 }.map { left in
                with(.request(requestedActions.indices.filter { $0 != left }.map { requestedActions[$0] }))
            }
            return shorter + [with(.request(requestedActions.map { $0.simpler(in: shape) }))]
        case .drop: return [with(.drop(noticedAfter: 0))]
        case .network(let uplink, let downlink):
            return [with(.network(uplink: 0, downlink: downlink)), with(.network(uplink: uplink, downlink: 0))]
        case .wait: return [with(.wait(milliseconds: 1)), with(.skipToNextTimer)]
        case .resume: return [with(.resume(resends: false))]
        case .choose(_, let choice):
            return [with(.choose(ringing: 0, choice: 0)), with(.choose(ringing: 0, choice: choice))]
        case .respond(_, let fulfills): return [with(.respond(selector: 0, fulfills: fulfills))]
        case .execute(_, let handled): return [with(.execute(selector: 0, handled: handled))]
        default: return []
        }
    }
}

extension Operation.RequestedAction {
    /// Returns a call to the echo, without video, in place of any other call.
    fileprivate func simpler(in shape: WorldShape) -> Operation.RequestedAction {
        guard case .start = self else { return self }
        return .start(target: shape.accounts.count, video: false, external: false)
    }
}
