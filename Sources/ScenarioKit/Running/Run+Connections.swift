import HubEngine
import HubWire

/// Steps that change connections and the hub; a step without effect is a mistake in the scenario, and fails.
extension Run {
    func connection(_ index: Int, _ change: ConnectionAction, _ answer: ExpectedReply) throws(StepFailure) -> StepTask {
        let (devicePool, phone) = (devicePool, devicePool.phones[index])
        switch change {
        case .drops:
            return StepTask { () throws(StepFailure) in
                try self.require(
                    phone.connectionNumber != nil,
                    "\(phone.deviceReference) drops",
                    "\(phone.deviceReference) has no connection"
                )
                devicePool.note(index, .connection, "drops", "the connection is cut")
                devicePool.noteDeliverySkew()
                devicePool.dropConnection(index)
            }
        case .resumes:
            guard phone.hasSession || answer != .accepted else {
                throw StepFailure(
                    expected: "\(phone.deviceReference) resumes",
                    came: "\(phone.deviceReference) has no session to resume"
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
        let deviceReference = devicePool.phones[index].deviceReference
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
    private func require(_ isSo: Bool, _ expected: String, _ came: String) throws(StepFailure) {
        if !isSo { throw StepFailure(expected: expected, came: came) }
    }

    private func opening(_ index: Int, resumes: Bool, _ answer: ExpectedReply) -> StepTask {
        let (devicePool, phone) = (devicePool, devicePool.phones[index])
        let pendingRequest = PendingRequest()
        let what = resumes ? "\(phone.deviceReference) resumes" : "\(phone.deviceReference) signs in"
        return StepTask(
            expects: what,
            isDone: { () throws(StepFailure) in
                guard try self.isAnswered(pendingRequest, index, answer, what: what) else { return false }
                if answer != .accepted, phone.connection == .opening { devicePool.dropConnection(index) }
                return true
            },
            state: { "the hub has not answered" },
            begin: { () throws(StepFailure) in
                let goesOn = phone.connection == .open && !devicePool.links[index].isFrozen
                try self.require(
                    !resumes || !goesOn,
                    what,
                    "\(phone.deviceReference)'s connection goes on: there is nothing to resume"
                )
                devicePool.noteDeliverySkew()
                pendingRequest.number = devicePool.connect(index, phone.signIn(resumes: resumes, at: devicePool.now))
            }
        )
    }

    /// Returns the task that ends a device's session.
    func leave(_ index: Int) -> StepTask {
        let (devicePool, phone) = (devicePool, devicePool.phones[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: "\(phone.deviceReference) is signed in",
            expects: "the hub lets \(phone.deviceReference) go",
            isReady: { () throws(StepFailure) in phone.connection == .open },
            isDone: { () throws(StepFailure) in
                guard phone.connectionNumber == nil || pendingRequest.number.map({ phone.replies[$0] != nil }) ?? true
                else {
                    return false
                }
                devicePool.closeConnection(index)
                phone.leave(at: devicePool.now)
                return true
            },
            state: { self.lastConnectionEvent(of: index) },
            begin: { () throws(StepFailure) in
                devicePool.noteDeliverySkew()
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
                case .isKilled, .restarts: devicePool.phones.allSatisfy { $0.connectionNumber == nil }
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
                devicePool.noteDeliverySkew()
                if change == .isKilled || change == .restarts { devicePool.letConnectionsEnd() }
                devicePool.isDraining = change == .drains
                do throws(TestEnvironmentError) {
                    try devicePool.environment.perform(change)
                } catch {
                    throw StepFailure(expected: "the hub performs the step", came: error.sentence)
                }
                devicePool.noteDeliverySkew()
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
