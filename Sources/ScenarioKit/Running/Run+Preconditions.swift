/// The preconditions of expectations: the state of a device without a connection is out of date.
extension Run {
    /// Returns the reason why an expectation cannot be evaluated, a sentence; nil: it can.
    ///
    /// Past notifications remain valid, and sound over the whole run is evaluated at the end.
    func reasonNotEvaluable(to assertion: Assertion) -> String? {
        switch assertion {
        case .receivesNotification, .neverHears, .nobodyHearsHimself: nil
        case .nobodyHearsAnybody:
            devicePool.devices.contains { disconnectionReason(of: $0.deviceReference) == nil }
                ? nil : "no device is connected"
        case .receivesNoNotification(let deviceReference, .perform(_, let call?)):
            disconnectionReason(of: deviceReference) ?? unrelatedCallReason(call, to: deviceReference)
        case .call(let deviceReference, _, let matchers):
            disconnectionReason(of: deviceReference)
                ?? matchers.compactMap(\.otherCall).compactMap { unrelatedCallReason($0, to: deviceReference) }.first
        case .callCount(let deviceReference, _), .rings(let deviceReference), .doesNotRing(let deviceReference),
            .receivesNoNotification(let deviceReference, _), .audio(let deviceReference, _),
            .recents(let deviceReference, _), .providers(let deviceReference, _),
            .directories(let deviceReference, _), .sees(let deviceReference, _, _), .hears(let deviceReference, _, _),
            .hearsNothing(let deviceReference, _):
            disconnectionReason(of: deviceReference)
        case .either(let assertions):
            assertions.contains { reasonNotEvaluable(to: $0) == nil }
                ? nil : assertions.compactMap { reasonNotEvaluable(to: $0) }.first
        }
    }

    /// Returns the reason why a device receives no notifications; nil: it does receive them.
    private func disconnectionReason(of deviceReference: DeviceReference) -> String? {
        guard let index = devicePool.index(of: deviceReference) else { return "there is no \(deviceReference)" }
        switch devicePool.devices[index].connection {
        case .open where devicePool.links[index].isFrozen:
            return "\(deviceReference) is frozen: its state is out of date"
        case .open: return nil
        case .lost: return "\(deviceReference) has no connection: its state is out of date"
        case .none, .opening: return "\(deviceReference) is not signed in"
        }
    }

    private func unrelatedCallReason(_ call: CallName, to deviceReference: DeviceReference) -> String? {
        devicePool.calls.involves(call, deviceReference.party)
            ? nil : "\(call) is no call of \(deviceReference.party)'s"
    }

    /// Returns the reason why the absence of a voice proves nothing; nil: it does prove something.
    func reasonForVacuousPass(of devices: [SimulatedDevice], _ voice: Voice) -> String? {
        guard devices.contains(where: \.wasSignedIn) else {
            return "\(devices.first?.deviceReference.description ?? "nobody") never signed in"
        }
        guard case .party(let name) = voice, let number = devicePool.voices.number(of: voice) else { return nil }
        // An app has sent sound if any device has received it.
        let hasSent = devicePool.devices.contains { device in
            device.party.name == name && device.hasSentAudio || !device.receivedVoices.intervals[number].isEmpty
        }
        return hasSent ? nil : "\(name) never sent sound"
    }
}

extension CallMatcher {
    /// The other call that the matcher refers to.
    fileprivate var otherCall: CallName? {
        switch self {
        case .groupedWith(let call): call
        case .not(let matcher): matcher.otherCall
        default: nil
        }
    }
}
