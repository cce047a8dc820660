import HubEngine
import HubWire

/// Steps that change connections and the hub; a step without effect is a mistake in the scenario, and fails.
extension Run {
    func connection(_ index: Int, _ change: ConnectionAction, _ answer: ExpectedReply) throws(StepFailure) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        switch change {
        case .drops:
            return StepTask { () throws(StepFailure) in
                try self.require(
                    device.connectionNumber != nil,
                    "\(device.deviceReference) drops",
                    "\(device.deviceReference) has no connection"
                )
                devicePool.note(index, .connection, "drops", "the connection is cut")
                devicePool.allowDeliverySkew()
                devicePool.dropConnection(index)
            }
        case .resumes:
            guard device.hasSession || answer != .accepted else {
                throw StepFailure(
                    expected: "\(device.deviceReference) resumes",
                    actual: "\(device.deviceReference) has no session to resume"
                )
            }
            return opening(index, resumes: true, answer)
        case .signsIn: return opening(index, resumes: false, answer)
        case .leaves: return leave(index)
        case .freezes, .thaws, .isDelayed, .isThrottled: return changeLink(index, change)
        }
    }

    private func changeLink(_ index: Int, _ change: ConnectionAction) -> StepTask {
        let devicePool = devicePool
        let deviceReference = devicePool.devices[index].deviceReference
        return StepTask { () throws(StepFailure) in
            let link = devicePool.links[index]
            switch change {
            case .freezes:
                try self.require(!link.isFrozen, "\(deviceReference) freezes", "\(deviceReference) is frozen already")
            case .thaws: try self.require(link.isFrozen, "\(deviceReference) thaws", "\(deviceReference) is not frozen")
            case .isDelayed(.zero):
                try self.require(
                    link.impairment.delay != .zero,
                    "\(deviceReference) is delayed no more",
                    "\(deviceReference) is not delayed"
                )
            case .isThrottled(nil):
                let isThrottled = link.impairment.bitsPerSecond != nil
                try self.require(
                    isThrottled,
                    "\(deviceReference) is throttled no more",
                    "\(deviceReference) is not throttled"
                )
            default: break
            }
            devicePool.changeLink(index) { $0.changeLink(change) }
        }
    }

    /// Throws a failure if a step would have no effect.
    private func require(_ isMet: Bool, _ expected: String, _ actual: String) throws(StepFailure) {
        if !isMet { throw StepFailure(expected: expected, actual: actual) }
    }

    private func opening(_ index: Int, resumes: Bool, _ answer: ExpectedReply) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        let what = resumes ? "\(device.deviceReference) resumes" : "\(device.deviceReference) signs in"
        return StepTask(
            expects: what,
            isDone: { () throws(StepFailure) in
                guard try self.isAnswered(pendingRequest, index, answer, what: what) else { return false }
                if answer != .accepted, device.connection == .opening { devicePool.dropConnection(index) }
                return true
            },
            state: { "the hub has not answered" },
            begin: { () throws(StepFailure) in
                let goesOn = device.connection == .open && !devicePool.links[index].isFrozen
                try self.require(
                    !resumes || !goesOn,
                    what,
                    "\(device.deviceReference)'s connection goes on: there is nothing to resume"
                )
                devicePool.allowDeliverySkew()
                pendingRequest.number = devicePool.connect(index, device.signIn(resumes: resumes, at: devicePool.now))
            }
        )
    }

    /// Returns the task that ends a device's session.
    func leave(_ index: Int) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: "\(device.deviceReference) is signed in",
            expects: "the hub lets \(device.deviceReference) go",
            isReady: { () throws(StepFailure) in device.connection == .open },
            isDone: { () throws(StepFailure) in
                guard device.connectionNumber == nil || pendingRequest.number.map({ device.replies[$0] != nil }) ?? true
                else {
                    return false
                }
                devicePool.closeConnection(index)
                device.leave(at: devicePool.now)
                return true
            },
            state: { self.lastConnectionEvent(of: index) },
            begin: { () throws(StepFailure) in
                devicePool.allowDeliverySkew()
                devicePool.links[index].mayDisconnect = true
                pendingRequest.number = devicePool.sendRequest(index, .close)
            }
        )
    }

    // MARK: The hub

    func hub(_ change: HubProcessAction) -> StepTask {
        let devicePool = devicePool
        return StepTask(
            needs: change == .starts ? "the hub has ended" : "the hub runs",
            expects: "all connections end with the hub",
            isReady: { () throws(StepFailure) in devicePool.environment.isHubRunning == (change != .starts) },
            isDone: { () throws(StepFailure) in
                switch change {
                // An app's device connects again by itself.
                case .isKilled, .restarts:
                    devicePool.devices.allSatisfy { $0.connectionNumber == nil || $0.app != nil }
                case .starts, .drains: true
                }
            },
            state: {
                guard devicePool.environment.isHubRunning == (change != .starts) || change == .restarts else {
                    return change == .starts ? "it runs" : "it does not run"
                }
                return "some are still open"
            },
            begin: { () throws(StepFailure) in
                devicePool.allowDeliverySkew()
                if change == .isKilled || change == .restarts { devicePool.allowDisconnects() }
                devicePool.isDraining = change == .drains
                do throws(TestEnvironmentError) {
                    try devicePool.environment.perform(change)
                } catch {
                    throw StepFailure(expected: "the hub performs the step", actual: error.sentence)
                }
                devicePool.allowDeliverySkew()
            }
        )
    }
}

extension DevicePool.Link {
    /// Applies a step to the link's state.
    fileprivate mutating func changeLink(_ change: ConnectionAction) {
        switch change {
        case .freezes: isFrozen = true
        case .thaws: isFrozen = false
        case .isDelayed(let delay): impairment.delay = delay
        case .isThrottled(let rate): impairment.bitsPerSecond = rate
        case .drops, .resumes, .leaves, .signsIn: break
        }
    }
}
