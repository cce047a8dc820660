import HubEngine
import HubWire

/// The evaluation of expectations, and their time limits.
extension Run {
    /// Waits until an expectation is met; the absence of an event is observed for the whole time limit.
    func expect(_ expectation: Assertion, within: Duration?) throws(StepFailure) {
        guard !expectation.appliesToWholeRun else { return evaluateAtEnd(expectation) }
        (recents, providers, directories, mediaRequests) = ([:], [:], [:], [:])
        for deviceReference in expectation.devices { _ = try index(deviceReference) }
        if let reasonNotEvaluable = reasonNotEvaluable(to: expectation) {
            throw StepFailure(expected: description(for: expectation, within), actual: reasonNotEvaluable)
        }
        let began = now
        if expectation.isAbsence {
            try watch(expectation, within)
            return
        }
        let span = (expectation.span ?? .zero) + (expectation.isOfSound ? longestPause : .zero)
        let window = max(span, expectation.isSilence ? Self.silence : minimumSoundDuration)
        let limit = expectation.isReceived ? within.map { lastActionEnded + $0 } : nil
        let timeout = limit.map { max(.zero, $0 - now) + window } ?? (within ?? scenario.timeout) + span
        let isMet = try waitUntil(timeout) { () throws(StepFailure) in self.holds(expectation, beginsBy: limit) }
        guard isMet else {
            // An alternative may be that an event does not come.
            if expectation.hasAbsence, !hasOccurred(expectation) { return }
            throw StepFailure(expected: description(for: expectation, within), actual: actualState(of: expectation))
        }
        // Of sound the note has the time of its beginning, not that of its detection.
        let since = expectation.isReceived ? now - window : now
        if now > began { noteOnStep("after \(max(.zero, since - lastActionEnded).rounded)") }
    }

    private func watch(_ expectation: Assertion, _ within: Duration?) throws(StepFailure) {
        let hasOccurred = try waitUntil(within ?? scenario.timeout) { () throws(StepFailure) in
            self.hasOccurred(expectation)
        }
        if hasOccurred {
            throw StepFailure(expected: description(for: expectation, within), actual: actualState(of: expectation))
        }
    }

    /// The minimum duration of detected sound; with a shorter one a codec's artefact would count as silence.
    var minimumSoundDuration: Duration { .milliseconds(60) + late + late }

    /// The maximum age of the last received frame of sound.
    private var late: Duration { .milliseconds(20) + devicePool.environment.maximumAudioDelay }

    /// Returns the expectation's text as its line has it.
    private func description(for expectation: Assertion, _ within: Duration?) -> String {
        record.steps.last?.expectation(hasTime: within != nil) ?? expectation.text
    }

    // MARK: State

    /// Indicates that an expectation is met now.
    ///
    /// - Parameters:
    ///   - expectation: The expectation to evaluate.
    ///   - limit: The latest time at which expected sound must have begun; nil: any time.
    /// - Returns: True if it is met; always false for the absence of an event.
    func holds(_ expectation: Assertion, beginsBy limit: Duration? = nil) -> Bool {
        switch expectation {
        case .call(let deviceReference, let name, let matchers): return holds(matchers, of: name, deviceReference)
        case .callCount(let deviceReference, let count):
            return device(deviceReference).calls.values.filter { !$0.hasEnded }.count == count
        case .rings(let deviceReference): return device(deviceReference).calls.values.contains { $0.state == .ringing }
        case .receivesNotification(let deviceReference, let matcher):
            return receivesNotification(matcher, deviceReference)
        case .audio(let deviceReference, let name): return holds(audioFor: name, deviceReference)
        case .recents(let deviceReference, let matchers): return holds(recents: matchers, deviceReference)
        case .providers(let deviceReference, let matchers): return holds(providers: matchers, deviceReference)
        case .directories(let deviceReference, let matchers): return holds(directories: matchers, deviceReference)
        case .sees(let deviceReference, let target, let presence):
            return holds(presence, of: target, seenBy: deviceReference)
        case .hears(let deviceReference, let voices, let span):
            return hears(voices, deviceReference, for: span, beginsBy: limit)
        case .hearsNothing(let deviceReference, let span):
            return hears([], deviceReference, for: span ?? Self.silence, beginsBy: limit)
        case .nobodyHearsAnybody:
            return devicePool.devices.allSatisfy { hears([], $0.deviceReference, for: Self.silence, beginsBy: limit) }
        case .either(let expectations):
            return expectations.contains {
                !$0.isAbsence && reasonNotEvaluable(to: $0) == nil && holds($0, beginsBy: limit)
            }
        case .doesNotRing, .receivesNoNotification: return false
        case .neverHears, .nobodyHearsHimself: return true
        }
    }

    /// Indicates that an event has occurred whose absence is expected.
    private func hasOccurred(_ expectation: Assertion) -> Bool {
        switch expectation {
        case .doesNotRing(let deviceReference):
            return notificationsSinceAction(deviceReference).contains { notification in
                guard case .callChanged(let call) = notification else { return false }
                return call.state == .ringing
            }
        case .receivesNoNotification(let deviceReference, let matcher):
            return receivesNotification(matcher, deviceReference)
        case .either(let expectations):
            return expectations.allSatisfy { !$0.isAbsence || reasonNotEvaluable(to: $0) != nil || hasOccurred($0) }
        default: return false
        }
    }

    private func device(_ deviceReference: DeviceReference) -> SimulatedDevice {
        devicePool.devices[devicePool.index(of: deviceReference) ?? 0]
    }

    private func holds(_ matchers: [CallMatcher], of name: CallName, _ deviceReference: DeviceReference) -> Bool {
        guard let index = devicePool.index(of: deviceReference), let call = call(name, index) else { return false }
        return matchers.allSatisfy { holds($0, of: call, index) }
    }

    private func holds(_ matcher: CallMatcher, of call: CallSnapshot, _ index: Int) -> Bool {
        switch matcher {
        case .state(let state): return call.state == state
        case .active: return isActive(call)
        case .muted(let isMuted): return call.isMuted == isMuted
        case .grouped(let isGrouped): return (call.group != nil) == isGrouped
        case .groupedWith(let other):
            guard let other = self.call(other, index) else { return false }
            return call.group != nil && call.group == other.group
        case .video: return call.hasVideo
        case .outgoing(let isOutgoing): return call.isOutgoing == isOutgoing
        case .heldByRemote(let isHeld): return call.remoteIsOnHold == isHeld
        case .remotelyRinging: return call.remoteIsRinging
        case .translating(let engine):
            return call.isTranslating && (engine == nil || call.translationEngine == engine)
        case .ended(let reason, let cause):
            return call.hasEnded && call.endedReason == reason && (cause == nil || call.cause == cause)
        case .offers(let names): return Set(call.choices.map(\.name)) == Set(names)
        case .shows(let name, let source, let title):
            return devicePool.withPartyNames(call.localizedCallerName) == name
                && (source == nil || call.nameSource == source) && (title == nil || call.directoryTitle == title)
        case .includes(let people): return includes(people, call)
        case .with(let target): return call.remoteHandle == devicePool.accounts.handle(of: target)
        case .transferredBy(let target): return call.transferor?.handle == devicePool.accounts.handle(of: target)
        case .returned(let cause): return call.returned.map { cause == nil || $0.cause == cause } ?? false
        case .says(let message): return call.hasEnded && call.message == message
        case .not(let matcher): return !holds(matcher, of: call, index)
        }
    }

    /// Indicates that exactly these other people are in a call's conversation.
    private func includes(_ people: [ParticipantMatcher], _ call: CallSnapshot) -> Bool {
        guard people.count == call.participants.count, !call.hasEnded else { return false }
        var others = call.participants
        for person in people {
            guard let index = others.firstIndex(where: { isSame($0, person) }) else { return false }
            others.remove(at: index)
        }
        return true
    }

    private func isSame(_ participant: CallParticipant, _ person: ParticipantMatcher) -> Bool {
        switch person {
        case .somebody:
            return participant.nameSource == .hidden && participant.name.isEmpty
                && participant.handle == .generic("anonymous")
        case .person(let target, let name):
            return participant.nameSource != .hidden && participant.handle == devicePool.accounts.handle(of: target)
                && (name.map { $0 == devicePool.withPartyNames(participant.name) } ?? true)
        }
    }

    private func holds(audioFor name: CallName?, _ deviceReference: DeviceReference) -> Bool {
        guard let index = devicePool.index(of: deviceReference) else { return false }
        let audio = devicePool.devices[index].audio
        guard let name else { return audio == nil }
        guard let audio, let call = call(name, index), !call.hasEnded, !call.isOnHold else { return false }
        // A session continues over merges and splits: it belongs to the whole group of one of its calls.
        return audio.calls.contains { uuid in
            uuid == call.uuid || (call.group != nil && devicePool.devices[index].calls[uuid]?.group == call.group)
        }
    }

    // MARK: Notifications

    private func receivesNotification(_ matcher: NotificationMatcher, _ deviceReference: DeviceReference) -> Bool {
        let notifications = notificationsSinceAction(deviceReference)
        if case .digits(let digits) = matcher {
            let keyed = notifications.reduce(into: "") { keyed, notification in
                if case .dtmf(_, let digits, _) = notification { keyed += digits }
            }
            return keyed.contains(digits)
        }
        return notifications.contains { matches(matcher, $0) }
    }

    private func matches(_ matcher: NotificationMatcher, _ notification: WireNotification) -> Bool {
        switch (matcher, notification) {
        case (.notification(let name), _):
            let method = notification.method
            return method == name || method.hasSuffix("." + name)
        case (.perform(let kind, let call), .perform(_, let action, _, _, _)):
            guard ActionKindName(action.kind) == kind else { return false }
            return call == nil || devicePool.calls.name(of: action.callUUID) == call
        case (.closing(let word), .closing(let reason, _, _)): return reason.rawValue == word
        default: return false
        }
    }

    // MARK: Sound

    /// Indicates that a device has received exactly these voices for a span since the last action.
    private func hears(
        _ voices: [Voice],
        _ deviceReference: DeviceReference,
        for span: Duration?,
        beginsBy limit: Duration?
    ) -> Bool {
        let span = max(span ?? minimumSoundDuration, voices.isEmpty ? .zero : minimumSoundDuration)
        // A file cannot be recognized in less time than its longest pause.
        let window = max(span, longestPause == .zero ? .zero : longestPause + minimumSoundDuration)
        // Sound that began in time counts, even if it is evaluated later.
        let now = limit.map { min(self.now, $0 + window) } ?? self.now
        let begin = now - window
        guard begin >= lastActionEnded, limit.map({ begin <= $0 }) ?? true else { return false }
        let (receivedVoices, table) = (device(deviceReference).receivedVoices, devicePool.voices)
        let wanted = voices.compactMap { table.number(of: $0) }
        return table.voices.indices.allSatisfy { number in
            guard wanted.contains(number) else { return !receivedVoices.isReceived(number, from: begin, to: now) }
            let late = late + devicePool.pauses[number]
            return receivedVoices.isReceivedThroughout(number, from: begin + late, to: now - late)
                && receivedVoices.isReceived(number, from: now - late - self.late, to: now)
        }
    }

    /// The longest time for which a playing party may be silent.
    private var longestPause: Duration { devicePool.pauses.max() ?? .zero }

    private static let silence = ScenarioLimits.shortestSound
}

extension Duration {
    /// The duration in whole milliseconds, for people: `42 ms`.
    var rounded: String { "\(wholeNanoseconds / 1_000_000) ms" }
}

extension Assertion {
    /// Indicates that it expects the absence of an event.
    fileprivate var isAbsence: Bool {
        switch self {
        case .doesNotRing, .receivesNoNotification: true
        default: false
        }
    }

    /// Indicates that one of its alternatives is the absence of an event.
    fileprivate var hasAbsence: Bool {
        if case .either(let expectations) = self { expectations.contains(where: \.isAbsence) } else { false }
    }

    /// Indicates that it expects silence.
    fileprivate var isSilence: Bool {
        switch self {
        case .hearsNothing, .nobodyHearsAnybody: true
        default: false
        }
    }

    /// Indicates that it expects the beginning of sound or silence, in all its alternatives.
    fileprivate var isReceived: Bool {
        switch self {
        case .hears, .hearsNothing, .nobodyHearsAnybody: true
        case .either(let expectations): expectations.allSatisfy(\.isReceived)
        default: false
        }
    }

    /// Indicates that it expects sound or silence, in one of its alternatives.
    fileprivate var isOfSound: Bool {
        switch self {
        case .hears, .hearsNothing, .nobodyHearsAnybody: true
        case .either(let expectations): expectations.contains(where: \.isOfSound)
        default: false
        }
    }

    /// The minimum duration for which it must hold; nil: a moment is enough.
    fileprivate var span: Duration? {
        switch self {
        case .hears(_, _, let span), .hearsNothing(_, let span): span
        case .either(let expectations): expectations.compactMap(\.span).max()
        default: nil
        }
    }

    /// The devices that it is about.
    var devices: [DeviceReference] {
        switch self {
        case .call(let deviceReference, _, _), .callCount(let deviceReference, _), .rings(let deviceReference),
            .doesNotRing(let deviceReference),
            .receivesNotification(let deviceReference, _), .receivesNoNotification(let deviceReference, _),
            .audio(let deviceReference, _), .recents(let deviceReference, _), .providers(let deviceReference, _),
            .directories(let deviceReference, _), .sees(let deviceReference, _, _),
            .hears(let deviceReference, _, _), .hearsNothing(let deviceReference, _),
            .neverHears(let deviceReference, _):
            [deviceReference]
        case .either(let expectations): expectations.flatMap(\.devices)
        case .nobodyHearsHimself, .nobodyHearsAnybody: []
        }
    }
}
