import HubEngine

/// Devices on one machine (rule CH-03), and devices that operate another one (rule CH-04).
extension World {
    /// Indicates that a device operates another one, so that it shows that one's calls and has none itself.
    func isOperator(_ device: Int) -> Bool { shape.devices[device].operates != nil }

    /// Returns the device that another one operates; nil: the latter is a phone itself.
    func operatedDevice(of device: Int) -> Int? {
        shape.devices[device].operates.flatMap { name in shape.devices.firstIndex { $0.name == name } }
    }

    /// Checks that an operator has the calls of the operated device, and nothing else of a phone.
    mutating func checkOperator(_ hubSession: HubSession, on device: Int) {
        guard let operated = operatedDevice(of: device) else { return }
        let name = shape.devices[device].name
        let expected = hubSessions[operated]?.notified.calls ?? []
        if hubSession.notified.calls != expected {
            let detail = RunTranscript.difference(between: hubSession.notified.calls, and: expected)
            fail("an operator is notified of the operated device's calls", "\(name): \(detail)")
        }
        guard case .calls(let calls, _)? = engineReply(.calls, of: hubSession.session), calls == expected else {
            return fail("observer.calls of an operator has the operated device's calls", name)
        }
        if !hubSession.actionOutcomes.open.isEmpty { fail("an operator performs nothing", name) }
        if hubSession.notified.audio != nil || hubSession.route != .closed { fail("an operator has no audio", name) }
    }

    /// Returns the calls of a device, and of the others on its machine.
    func callsOnMachine(of device: Int) -> [CallSnapshot] {
        ([device] + companions(of: device)).flatMap { hubSessions[$0]?.notified.calls ?? [] }
    }

    /// Indicates that another device on a device's machine is performing actions, whose result may come first.
    func isCompanionPerforming(of device: Int) -> Bool {
        companions(of: device).contains { other in
            guard let outcomes = hubSessions[other]?.actionOutcomes else { return false }
            return !outcomes.open.isEmpty || !outcomes.offered.isEmpty
        }
    }

    /// Returns the other devices on a device's machine.
    private func companions(of device: Int) -> [Int] {
        guard let machine = shape.devices[device].machine else { return [] }
        let account = shape.devices[device].account
        return clients.indices.filter { other in
            other != device && shape.devices[other].account == account && shape.devices[other].machine == machine
        }
    }

    /// Checks that a call, or one group, of one of the devices on a machine has the focus.
    mutating func checkMachine(of hubSession: HubSession, on device: Int) {
        guard companions(of: device).contains(where: { hubSessions[$0]?.notified.focused.isEmpty == false }) else {
            return
        }
        if !hubSession.notified.focused.isEmpty {
            fail("one call or one group of a machine has the focus", shape.devices[device].name)
        }
        if hubSession.notified.calls.contains(where: { $0.state == .held }) { coverage.note(.heldOnMachine) }
    }
}
