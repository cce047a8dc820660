import HubEngine

/// A readable log of a run: one line for each operation, then lines for its effects.
public struct RunTranscript {
    /// The lines so far.
    public private(set) var lines: [String] = []
    private let shape: WorldShape
    private var names: [CallUUID: String] = [:]
    private var pending: [String] = []

    init(_ shape: WorldShape) {
        self.shape = shape
    }

    mutating func begin(_ operation: Operation) {
        lines.append("\(operation.sentence(in: shape))")
    }

    mutating func end(isDone: Bool) {
        if !isDone { lines.append("    (makes no sense now)") }
    }

    mutating func note(_ text: String) {
        lines.append("  - \(text)")
    }

    mutating func effect(_ effect: Effect, of device: Int?) {
        let name = device.map { shape.devices[$0].name } ?? ""
        switch effect {
        case .reply(_, let reply): lines.append("    \(name) <- \(words(reply))")
        case .notify(_, let notification): lines.append("    \(name): \(words(notification))")
        case .audioRouteChanged: lines.append("    \(name): has a new route")
        case .lookUp(_, let lookUp): lines.append("    the hub looks up \(lookUp.handle.value)")
        case .screen(_, let account, let caller): lines.append("    the hub screens \(caller.value) for \(account)")
        case .sendPush(let pushRequest):
            lines.append("    the hub sends a push to \(pushRequest.account) for \(pushRequest.caller.value)")
        case .cancelPush(let account, _, let isMissed):
            lines.append("    the hub cancels the push to \(account)\(isMissed ? ", missed call" : "")")
        case .addRecent(let account, let call):
            lines.append("    \(account) remembers \(call.handle.value): \(call.outcome)")
        case .sessionEnded(_, let end): lines.append("    \(name): session ended, \(end.map { "\($0)" } ?? "left")")
        case .sessionClosing(_, let end): lines.append("    \(name): session will close, \(end)")
        }
    }

    static func seconds(_ instant: Instant) -> String {
        let milliseconds = instant.nanoseconds / 1_000_000
        let fraction = milliseconds % 1000
        return "\(milliseconds / 1000).\(fraction / 100)\(fraction / 10 % 10)\(fraction % 10) s"
    }

    /// Lists the members of calls that differ.
    static func difference(between notified: [CallSnapshot], and actual: [CallSnapshot]) -> String {
        guard notified.map(\.uuid) == actual.map(\.uuid) else {
            return "\(notified.count) notified calls, \(actual.count) actual ones, or others"
        }
        return zip(notified, actual).flatMap { notified, actual in
            zip(Mirror(reflecting: notified).children, Mirror(reflecting: actual).children).compactMap { one, two in
                let (one, two) = ("\(one.label ?? ""): told \(one.value)", "\(two.label ?? ""): told \(two.value)")
                return one == two ? nil : "\(one), is \(two)"
            }
        }.joined(separator: "; ")
    }

    private mutating func name(_ call: CallUUID) -> String {
        if let name = names[call] { return name }
        let name = "call\(names.count + 1)"
        names[call] = name
        return name
    }

    private mutating func words(_ reply: Reply) -> String {
        switch reply {
        case .opened(_, _, let calls): "signed in, \(calls.count) calls"
        case .accepted: "accepted"
        case .done: "done"
        case .ignored: "ignored"
        case .configuration: "configured"
        case .pending(let transactions, let actions): "\(transactions.count) transactions, \(actions.count) actions"
        case .calls(let calls, let elsewhere): "\(calls.count) calls, \(elsewhere.count) elsewhere"
        case .refused(let refusal): "refused \(refusal.code): \(refusal.message)"
        }
    }

    private mutating func words(_ notification: Notification) -> String {
        switch notification {
        case .didBegin: return "began"
        case .didReset: return "was reset"
        case .execute(_, let actions): return "execute \(actions.map { words($0) })"
        case .perform(_, let action, let deadline, let origin, let fulfilled):
            let ending = fulfilled ? "done" : "to be answered by \(Self.seconds(deadline))"
            return "perform \(words(action)) (\(origin), \(ending))"
        case .timedOutPerforming(let action): return "timed out: \(words(action))"
        case .didActivateAudioSession(let audio):
            return "audio on for \(audio.calls.map { name($0) }), ssrc \(audio.ssrc)"
        case .didDeactivateAudioSession(let audio): return "audio off, ssrc \(audio.ssrc)"
        case .callChanged(let call): return words(call)
        case .operated(let call): return "operates \(words(call))"
        case .observed(let call):
            return "observes \(name(call.uuid)) on \(call.deviceID)\(call.hasEnded ? ", ended" : "")"
        case .dtmf(let call, let digits, _): return "receives digits \(digits) on \(name(call))"
        case .audioSources(let sources):
            return "receives \(sources.map { "\($0.handle.value) on \(name($0.callUUID))" })"
        }
    }

    private mutating func words(_ action: Action) -> String {
        switch action.kind {
        case .start(let handle, _, _, let isExternal):
            "start\(isExternal ? " external" : "") \(name(action.callUUID)) to \(handle.value)"
        case .setHeld(let isOn): "\(isOn ? "hold" : "resume") \(name(action.callUUID))"
        case .setMuted(let isOn): "\(isOn ? "mute" : "unmute") \(name(action.callUUID))"
        case .setGroup(with: let other?): "group \(name(action.callUUID)) with \(name(other))"
        case .setGroup(with: nil): "split \(name(action.callUUID))"
        case .playDTMF(let digits, let type): "play \(digits) (\(type)) on \(name(action.callUUID))"
        default: "\(action.kind.typeName) \(name(action.callUUID))"
        }
    }

    private mutating func words(_ call: CallSnapshot) -> String {
        var words = "\(name(call.uuid)) with \(call.remoteHandle.value) is \(call.state)"
        if call.isMuted { words += ", muted" }
        if let group = call.group { words += ", group \(group.low % 1000)" }
        if call.remoteIsRinging { words += ", rings there" }
        if call.remoteIsOnHold { words += ", held there" }
        if call.isExternal { words += ", external" }
        if call.hasEnded {
            words += ": \(call.endedReason.map { "\($0)" } ?? "hung up") \(call.cause.map { "(\($0))" } ?? "")"
        }
        if !call.choices.isEmpty { words += ", offers \(call.choices.map { "\($0.name)" }.joined(separator: "/"))" }
        return words
    }
}
