import HubAccountData
import HubEngine
import HubWire

/// The last request of a device for a list of the hub's, as for its Recents.
struct ListRequest<Entry> {
    var number: Int
    var requestedAt: Duration
    /// Indicates that the hub has answered.
    var isAnswered = false
    /// The entries of the last reply; nil: there was none yet.
    var entries: [Entry]?
}

/// Requests for expectations, expectations of the whole run, and descriptions of states.
extension Run {
    // MARK: Recents

    /// Indicates that a device's Recents match; requests them again while they do not.
    func holds(recents matchers: [RecentCallMatcher], _ deviceReference: DeviceReference) -> Bool {
        let request = ClientRequest.accountData(.listRecents(limit: nil, before: nil))
        return holds(list: \.recents, deviceReference, request) { payload in
            if case .recents(let entries) = payload { entries } else { nil }
        } isMet: { entries, _ in
            entries.count == matchers.count && zip(entries, matchers).allSatisfy { isSame($0.call, $1) }
        }
    }

    /// Indicates that a list of the hub's is the expected one; requests it again while it is not.
    ///
    /// - Parameters:
    ///   - path: The last requests for the list.
    ///   - deviceReference: The device that requests it.
    ///   - request: The request.
    ///   - entries: The list in a reply; nil: there is none.
    ///   - isMet: Indicates that a list is the expected one, for the device of an index.
    /// - Returns: True if the last list that the hub has sent is the expected one.
    func holds<Entry>(
        list path: ReferenceWritableKeyPath<Run, [Int: ListRequest<Entry>]>,
        _ deviceReference: DeviceReference,
        _ request: ClientRequest,
        entries: (ReplyPayload) -> [Entry]?,
        isMet: ([Entry], Int) -> Bool
    ) -> Bool {
        guard let index = devicePool.index(of: deviceReference), devicePool.devices[index].connection == .open else {
            return false
        }
        if var last = self[keyPath: path][index] {
            if let reply = devicePool.devices[index].replies[last.number], !last.isAnswered {
                last.isAnswered = true
                if case .success(let payload) = reply, let list = entries(payload) { last.entries = list }
                self[keyPath: path][index] = last
            }
            if last.isAnswered, let list = last.entries, isMet(list, index) { return true }
            guard last.isAnswered, now - last.requestedAt >= .milliseconds(20) else { return false }
        }
        let number = devicePool.sendRequest(index, request)
        let old = self[keyPath: path][index]?.entries
        self[keyPath: path][index] = ListRequest(number: number, requestedAt: now, entries: old)
        return false
    }

    private func isSame(_ call: RecentCall, _ matcher: RecentCallMatcher) -> Bool {
        call.outcome == matcher.outcome && call.isOutgoing != matcher.isIncoming
            && call.isSilenced == matcher.isSilenced && call.hasVideo == matcher.hasVideo
            && (matcher.provider == nil || call.provider == matcher.provider)
            && call.handle.key == devicePool.accounts.handle(of: matcher.other).key
    }

    private func recentsInWords(_ index: Int) -> String {
        guard let entries = recents[index]?.entries else { return "the hub did not list them" }
        guard !entries.isEmpty else { return "they are empty" }
        let description = entries.map { entry in
            let call = entry.call
            return
                "\(call.outcome.rawValue) \(call.isOutgoing ? "to" : "from") \(devicePool.withPartyNames(call.handle.value))"
                + (call.hasVideo ? " with video" : "") + (call.provider.map { " by \(LineFormat.quoted($0))" } ?? "")
                + (call.isSilenced ? ", silenced" : "")
        }
        return "they are: " + description.joined(separator: ", ")
    }

    // MARK: The whole run

    /// Returns the violation of an expectation of the whole run; nil: it is met.
    func violation(of expectation: Assertion) -> StepFailure? {
        switch expectation {
        case .neverHears(let deviceReference, let voice):
            guard let number = devicePool.voices.number(of: voice) else { return nil }
            let devices = devicePool.devices.filter { device in
                device.deviceReference.party == deviceReference.party
                    && (deviceReference.device == nil || device.deviceReference.device == deviceReference.device)
            }
            if let why = reasonForVacuousPass(of: devices, voice) {
                return StepFailure(expected: expectation.text, actual: why)
            }
            return heardFailure(number, devices, expectation)
        case .nobodyHearsHimself:
            for device in devicePool.devices where !isInEchoCall(device) {
                if let failure = heardFailure(devicePool.partyNumber(of: device), [device], expectation) {
                    return failure
                }
            }
            return nil
        default: return nil
        }
    }

    /// Returns the failure if a device has received a voice that it must not receive.
    private func heardFailure(_ number: Int, _ devices: [SimulatedDevice], _ expectation: Assertion) -> StepFailure? {
        let intervals = devices.flatMap { device in device.receivedVoices.intervals[number].map { (device, $0) } }
        guard let (device, interval) = intervals.min(by: { $0.1.begin < $1.1.begin }) else { return nil }
        let name = devicePool.description(for: devicePool.voices.voices[number])
        let actual = "\(device.deviceReference) heard \(name) from \(interval.begin.seconds) to \(interval.end.seconds)"
        return StepFailure(expected: expectation.text, actual: actual, at: interval.begin)
    }

    private func isInEchoCall(_ device: SimulatedDevice) -> Bool {
        devicePool.calls.conversations.contains { $0.owner == device.party.name && $0.builtIn == .echo }
    }

    // MARK: In words

    /// Describes the actual state that an expectation is about.
    func actualState(of expectation: Assertion) -> String {
        switch expectation {
        case .call(let deviceReference, let name, _):
            guard let index = devicePool.index(of: deviceReference) else { return "there is no \(deviceReference)" }
            guard let call = call(name, index) else { return "\(deviceReference) has no call \(name)" }
            let shown = "shows \(devicePool.withPartyNames(call.localizedCallerName)) from \(call.nameSource.rawValue)"
            return "\(deviceReference)'s \(name) is \(devicePool.description(for: call)), \(shown)"
        case .callCount(let deviceReference, _), .rings(let deviceReference):
            return devicePool.index(of: deviceReference).map { devicePool.callsOfAll($0) } ?? ""
        case .doesNotRing(let deviceReference): return "\(deviceReference) rings"
        case .receivesNotification(let deviceReference, _): return notificationsInWords(deviceReference)
        case .receivesNoNotification(let deviceReference, let matcher):
            return "\(deviceReference) is told \(matcher.text)"
        case .audio(let deviceReference, _):
            guard let index = devicePool.index(of: deviceReference), let audio = devicePool.devices[index].audio else {
                return "no audio session is active"
            }
            return "it is on for " + audio.calls.map { devicePool.name($0) }.joined(separator: " and ")
        case .recents(let deviceReference, _):
            return devicePool.index(of: deviceReference).map { recentsInWords($0) } ?? ""
        case .providers(let deviceReference, _):
            return devicePool.index(of: deviceReference).map { providersInWords($0) } ?? ""
        case .directories(let deviceReference, _):
            return devicePool.index(of: deviceReference).map { directoriesInWords($0) } ?? ""
        case .sees(let deviceReference, let target, _): return presenceInWords(of: target, seenBy: deviceReference)
        case .hears(let deviceReference, _, _), .hearsNothing(let deviceReference, _),
            .neverHears(let deviceReference, _):
            return receivedVoicesInWords(of: deviceReference)
        case .nobodyHearsAnybody, .nobodyHearsHimself:
            return devicePool.devices.map { receivedVoicesInWords(of: $0.deviceReference) }.joined(separator: "; ")
        case .either(let expectations): return expectations.map { actualState(of: $0) }.joined(separator: "; ")
        }
    }

    private func notificationsInWords(_ deviceReference: DeviceReference) -> String {
        let notifications = notificationsSinceAction(deviceReference).suffix(5)
        guard !notifications.isEmpty else { return "\(deviceReference) received no notifications" }
        return "\(deviceReference) received "
            + notifications.map { "\($0.method) \(devicePool.description(for: $0))".trimmed }
            .joined(separator: "; ")
    }

    /// Describes the last received voices of a device, and their times.
    private func receivedVoicesInWords(of deviceReference: DeviceReference) -> String {
        guard let index = devicePool.index(of: deviceReference) else { return "there is no \(deviceReference)" }
        let spans = devicePool.devices[index].receivedVoices.spans(devicePool.voices).suffix(3)
        guard !spans.isEmpty else { return "\(deviceReference) has heard nothing" }
        let description = spans.map { span in
            "\(LineFormat.listed(span.voices.map { devicePool.description(for: $0) })) from \(span.begin.seconds) to \(span.end.seconds)"
        }
        return "it is \(now.seconds), and \(deviceReference) heard " + description.joined(separator: ", ")
    }
}

extension Duration {
    /// The duration in seconds with three decimal places: `1.250 s`.
    var seconds: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest) s"
    }
}

extension String {
    /// The text without a blank at its end.
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
