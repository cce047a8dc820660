/// The preconditions of expectations: the state of a device without a connection is out of date.
extension Run {
    /// Returns the reason why an expectation cannot be evaluated, a sentence; nil: it can.
    ///
    /// Past notifications remain valid, and sound over the whole run is evaluated at the end.
    func reasonNotEvaluable(to assertion: Assertion) -> String? {
        switch assertion {
        case .receivesNotification, .neverHears, .nobodyHearsHimself: nil
        case .nobodyHearsAnybody:
            devicePool.phones.contains { disconnectionReason(of: $0.deviceReference) == nil }
                ? nil : "no device is connected"
        case .receivesNoNotification(let deviceReference, .perform(_, let call?)):
            disconnectionReason(of: deviceReference) ?? unrelatedCallReason(call, to: deviceReference)
        case .call(let deviceReference, _, let facts):
            disconnectionReason(of: deviceReference)
                ?? facts.compactMap(\.otherCall).compactMap { unrelatedCallReason($0, to: deviceReference) }.first
        case .callCount(let deviceReference, _), .rings(let deviceReference), .doesNotRing(let deviceReference),
            .receivesNoNotification(let deviceReference, _), .audio(let deviceReference, _),
            .recents(let deviceReference, _), .hears(let deviceReference, _, _), .hearsNothing(let deviceReference, _):
            disconnectionReason(of: deviceReference)
        case .either(let assertions):
            assertions.contains { reasonNotEvaluable(to: $0) == nil }
                ? nil : assertions.compactMap { reasonNotEvaluable(to: $0) }.first
        }
    }

    /// Returns the reason why a device receives no notifications; nil: it does receive them.
    private func disconnectionReason(of deviceReference: DeviceReference) -> String? {
        guard let index = devicePool.index(of: deviceReference) else { return "there is no \(deviceReference)" }
        switch devicePool.phones[index].connection {
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
    func reasonForVacuousPass(of phones: [SimulatedDevice], _ voice: Voice) -> String? {
        guard phones.contains(where: \.wasSignedIn) else {
            return "\(phones.first?.deviceReference.description ?? "nobody") never signed in"
        }
        guard case .party(let name) = voice, let number = devicePool.voices.number(of: voice) else { return nil }
        // An app has sent sound if any device has received it.
        let spoke = devicePool.phones.contains { phone in
            phone.party.name == name && phone.hasSentAudio || !phone.receivedVoices.intervals[number].isEmpty
        }
        return spoke ? nil : "\(name) never sent sound"
    }
}

extension CallFact {
    /// The other call that the matcher refers to.
    fileprivate var otherCall: CallName? {
        switch self {
        case .groupedWith(let call): call
        case .not(let fact): fact.otherCall
        default: nil
        }
    }
}
