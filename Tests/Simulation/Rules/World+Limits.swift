import HubEngine

/// Groups, limits and names.
extension World {
    /// Checks that a new call has a UUID of its own and fits into the device's limits (decision D2).
    mutating func checkAppearance(of uuid: CallUUID, on device: Int) {
        guard let hubSession = hubSessions[device], let call = hubSession.notified.call(uuid) else { return }
        let name = shape.devices[device].name
        if call.returned != nil { coverage.note(.ringsAgain) }
        if call.state == .ringing, call.returned == nil, conversations.isFiltered(uuid, on: device, named: name) {
            fail("a blocked or silenced caller's call does not ring", name)
        }
        if !shape.devices[device].mayCall { fail("a device without the permission to call has no calls", name) }
        let allowed = hubSession.provider.maximumCallGroups + 1
        if hubSession.notified.groupCount > allowed,
            hubSession.notified.groupCount > allowed + groupsOnTheirWayOut(of: hubSession)
        {
            fail("no device has more than its groups and one that waits", "\(name): \(hubSession.notified.groupCount)")
        }
        let account = shape.devices[device].account
        for other in clients.indices
        where other != device && shape.devices[other].account == account && !isOperator(other) {
            guard let same = hubSessions[other]?.notified.call(uuid) else { continue }
            let isShared =
                conversations.conversation(of: uuid, on: other) == conversations.conversation(of: uuid, on: device)
            if !isShared || same.isOutgoing || call.isOutgoing || same.state != .ringing {
                fail("a call's UUID is unique in its account", "\(name) and \(shape.devices[other].name)")
            }
        }
    }

    /// Returns the number of pending actions that end or merge calls, which come before a new call begins.
    ///
    /// While they wait for the client, their calls still count as groups.
    private func groupsOnTheirWayOut(of hubSession: HubSession) -> Int {
        guard case .pending(_, let actions)? = engineReply(.pending(type: nil, callUUID: nil), of: hubSession.session)
        else {
            return 0
        }
        return actions.count { [.end, .setGroup, .transfer].contains($0.kind.type) }
    }

    mutating func checkGroups(of hubSession: HubSession, on device: Int) {
        let name = shape.devices[device].name
        let focused = hubSession.notified.focused
        if let first = focused.first, focused.count > 1,
            first.group == nil || !focused.allSatisfy({ $0.group == first.group })
        {
            fail("one call or one group has the focus", "\(name): \(focused.count)")
        }
        for call in hubSession.notified.calls {
            guard let group = call.group else { continue }
            let members = hubSession.notified.calls.filter { $0.group == group }
            if members.count > 2 { coverage.note(.groupOfThree) }
            if members.count < 2 { fail("a group of one dissolves", name) }
            if members.contains(where: { $0.isOnHold != call.isOnHold }) { fail("a group is held as one", name) }
            if !call.hasConnected { fail("the calls of a group are connected", name) }
        }
    }

    /// Checks that a group grows within the provider's limit.
    mutating func checkGrowth(from former: GroupUUID?, to call: CallSnapshot, on device: Int) {
        guard let group = call.group, group != former, let hubSession = hubSessions[device] else { return }
        let size = hubSession.notified.calls.count { $0.group == group && $0.uuid != call.uuid } + 1
        if size > hubSession.provider.maximumCallsPerCallGroup {
            fail("no group is larger than the provider's limit", "\(shape.devices[device].name): \(size)")
        }
    }

    /// Checks that an observer has the other devices' calls as those have them, five fields each (rows CK-69, CK-70).
    mutating func checkObserved(by hubSession: HubSession, on device: Int) {
        let notified = hubSession.notified.observed.sorted(by: Self.isBefore)
        let expected = observable(from: device).sorted(by: Self.isBefore)
        if elsewhere(of: hubSession.session).sorted(by: Self.isBefore) != expected {
            fail("observer.calls has the account's other calls", shape.devices[device].name)
        }
        if notified != expected {
            fail(
                "an observer was notified of the account's other calls",
                "\(shape.devices[device].name): \(notified), \(expected)"
            )
        }
    }

    func elsewhere(of session: SessionID) -> [ObservedCall] {
        guard case .calls(_, let elsewhere)? = engineReply(.calls, of: session) else { return [] }
        return elsewhere
    }

    private func observable(from device: Int) -> [ObservedCall] {
        let account = shape.devices[device].account
        return clients.indices.filter { $0 != device && shape.devices[$0].account == account && !isOperator($0) }
            .flatMap { other in
                (hubSessions[other]?.notified.calls ?? []).map { call in
                    ObservedCall(
                        uuid: call.uuid,
                        isOutgoing: call.isOutgoing,
                        isOnHold: call.isOnHold,
                        hasConnected: call.hasConnected,
                        hasEnded: false,
                        deviceID: shape.devices[other].name,
                        deviceName: shape.devices[other].name
                    )
                }
            }
    }

    private static func isBefore(_ left: ObservedCall, _ right: ObservedCall) -> Bool {
        (left.deviceID, left.uuid) < (right.deviceID, right.uuid)
    }
}
