import HubEngine
import HubWire

/// DTMF digits, which are played at once, after a pause, or on their user's confirmation.
extension ScenarioGenerator {
    /// Processes received digits of earlier actions, and the digits that are to be played now.
    ///
    /// Their steps precede the other effects of an event, since the following digits are performed in the same event.
    ///
    /// - Parameter notified: The effects of the event.
    /// - Returns: The indices in `notified` of the received digits that are processed.
    mutating func handleDigits(_ notified: [(deviceIndex: Int, recordedEvent: RecordedEvent)]) -> Set<Int> {
        var late: Set<Int> = []
        for (index, (deviceIndex, recordedEvent)) in notified.enumerated() {
            guard case .notified(.dtmf(let uuid, let digits, let type)) = recordedEvent.content,
                let position = position(of: DeviceCall(deviceIndex: deviceIndex, uuid: uuid)),
                let (deviceCall, _) = pendingDigits.first(where: { deviceCall, action in
                    action.kind == .playDTMF(digits: digits, type: type) && deviceCall.deviceIndex != deviceIndex
                        && self.position(of: deviceCall) == position
                })
            else { continue }
            respond(deviceCall, .fulfills, at: recordedEvent.at)
            receiveDigits(digits, type, on: uuid, deviceIndex, at: recordedEvent.at)
            late.insert(index)
        }
        for (deviceIndex, recordedEvent) in notified {
            guard case .notified(let notification) = recordedEvent.content else { continue }
            switch notification {
            case .perform(_, let action, _, _, let isFulfilled):
                guard case .playDTMF = action.kind else { continue }
                let deviceCall = DeviceCall(deviceIndex: deviceIndex, uuid: action.callUUID)
                // A recorded device at the other end would have received digits that were played.
                respond(deviceCall, isReceivedByRecordedDevice(deviceCall) ? .fails : .fulfills, at: recordedEvent.at)
                pendingDigits[deviceCall] = isFulfilled ? nil : action
            case .timedOutPerforming(let action):
                pendingDigits[DeviceCall(deviceIndex: deviceIndex, uuid: action.callUUID)] = nil
            case .callChanged(let call):
                // The hub discards pending digits with a hold or an end.
                if call.state != .connected {
                    pendingDigits[DeviceCall(deviceIndex: deviceIndex, uuid: call.uuid)] = nil
                }
            default: break
            }
        }
        return late
    }

    /// Removes the digits that a device was to play; for those after a `;` adds the user's response as a step.
    private mutating func respond(_ deviceCall: DeviceCall, _ response: ActionResponse, at instant: Instant) {
        guard case .playDTMF(_, let type)? = pendingDigits.removeValue(forKey: deviceCall)?.kind, type == .hardPause,
            let name = name(of: deviceCall.uuid, deviceCall.deviceIndex)
        else { return }
        step(.respond(participants.deviceReference(deviceCall.deviceIndex), response, .key, name), at: instant)
    }

    private func isReceivedByRecordedDevice(_ deviceCall: DeviceCall) -> Bool {
        guard let position = position(of: deviceCall), let call = callStates[deviceCall], !calls[position].isExternal
        else {
            return false
        }
        if case .account = call.isOutgoing ? calls[position].callee : calls[position].caller { return true }
        return false
    }

    /// Processes received digits; for an unrecorded sender adds the step that keys them.
    mutating func receiveDigits(
        _ digits: String,
        _ type: DTMFType,
        on uuid: CallUUID,
        _ deviceIndex: Int,
        at instant: Instant
    ) {
        let deviceCall = DeviceCall(deviceIndex: deviceIndex, uuid: uuid)
        guard let position = position(of: deviceCall), let call = callStates[deviceCall] else { return }
        let other = call.isOutgoing ? calls[position].callee : calls[position].caller
        var waits = type == .softPause
        if case .unrecorded = other {
            step(
                .transaction(participants.deviceReference(other), [.key(digits, calls[position].name)], refusal: nil),
                at: instant
            )
            waits = false
        }
        receivedDigits.append((deviceIndex, digits, waits))
        lastDigits = instant
    }

    /// Adds an expectation of the digits that each device received since the last step, joined in one line.
    mutating func expectDigits() {
        let indices = receivedDigits.map(\.deviceIndex).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
        for deviceIndex in indices
        where participants.devices[deviceIndex].isOpen && !participants.devices[deviceIndex].isLost {
            let notified = receivedDigits.filter { $0.deviceIndex == deviceIndex }
            var within = timeout(until: lastDigits)
            // The pause's length may differ between the recorded hub and another one.
            if notified.contains(where: \.waits) { within = max(within ?? .zero, Self.longestPause) }
            expect(
                .receivesNotification(
                    participants.deviceReference(deviceIndex),
                    .digits(notified.map(\.digits).joined())
                ),
                within: within
            )
        }
        receivedDigits = []
    }

    /// The default soft pause plus the default patience of a scenario, 2 s.
    private static var longestPause: Duration { defaults.softPause + .seconds(2) }
}
