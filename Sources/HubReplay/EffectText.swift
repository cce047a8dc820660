import CommandLineTools
import HubEngine
import HubWire

extension ReplayedEffect {
    /// The notification to the device, or the hub's action, in words.
    func text(_ labels: CallLabels) -> String {
        switch effect {
        case .reply(_, let reply): return reply.text(labels)
        case .notify(_, let notification):
            let words = notification.text(labels)
            return WireNotification(notification).method + (words.isEmpty ? "" : " " + words)
        case .audioRouteChanged: return "(\(route?.text ?? ""))"
        case .lookUp(_, let lookUp): return "looks up \(lookUp.handle.text)"
        case .screen(_, let account, let caller): return "screens \(caller.text) for \(account)"
        case .sendPush(let pushRequest):
            return "push to \(pushRequest.account) for \(labels[pushRequest.callUUID]) from \(pushRequest.caller.text)"
        case .cancelPush(let account, let call, let isMissed):
            return "cancels push to \(account) for \(labels[call])" + (isMissed ? ": missed call" : "")
        case .addRecent(let account, let call):
            let direction = call.isOutgoing ? "call to" : "call from"
            return "adds to Recents of \(account): \(direction) \(call.handle.text), \(call.outcome)"
        case .sessionEnded(_, let end): return "session ends: \(end?.rawValue ?? "left")"
        case .sessionClosing(_, let end): return "session.closing \(end.rawValue)"
        }
    }
}

extension ReplayedEffect.Route {
    fileprivate var text: String {
        let played = playedSources.map(\.rawValue) + (holdAudio.map { ["\($0.rawValue) on hold"] } ?? [])
        let playedText = played.isEmpty ? "" : "; receives the hub's " + played.joined(separator: ", ")
        if let gateReason { return "its packets are dropped, \(gateReason.logText)" + playedText }
        let names = listeners.map(\.shortDevice).joined(separator: ", ")
        return "its packets go to " + (names.isEmpty ? "no device" : names) + playedText
    }
}

extension Reply {
    fileprivate func text(_ labels: CallLabels) -> String {
        switch self {
        case .opened(_, _, let calls):
            return "is signed in" + (calls.isEmpty ? "" : ", has " + labels.list(calls.map(\.uuid)))
        case .accepted(let transaction, _): return "is answered: accepted, transaction \(transaction.shortText)"
        case .done: return "is answered: done"
        case .ignored: return "is answered: ignored, it was too late"
        case .configuration: return "is answered: the configuration"
        case .pending(let transactions, let actions):
            return "is answered: \(transactions.count) pending transactions, \(actions.count) pending actions"
        case .calls(let calls, let elsewhere):
            let own = calls.isEmpty ? "no calls" : labels.list(calls.map(\.uuid))
            let others = elsewhere.isEmpty ? "" : "; elsewhere \(labels.list(elsewhere.map(\.uuid)))"
            return "is answered: \(own)\(others)"
        case .refused(let refusal):
            let error = WireError(refusal)
            let name = error.code.name.map { " \($0)" } ?? ""
            return "is refused: \(error.code.number)\(name), \(error.message)"
        }
    }
}

extension Notification {
    fileprivate func text(_ labels: CallLabels) -> String {
        switch self {
        case .didBegin, .didReset: return ""
        case .execute(let transaction, let actions):
            return "\(transaction.shortText): "
                + actions.map { $0.kind.text($0.callUUID, labels) }.joined(separator: "; ")
        case .perform(_, let action, let deadline, let origin, let fulfilled):
            let what = "\(action.kind.text(action.callUUID, labels)) (\(action.uuid.shortText)"
            let who = origin == .system ? ", by the system" : ""
            return what + who + (fulfilled ? ", fulfilled)" : ", until \(deadline.timeText))")
        case .timedOutPerforming(let action):
            return "\(action.kind.text(action.callUUID, labels)) (\(action.uuid.shortText))"
        case .didActivateAudioSession(let session), .didDeactivateAudioSession(let session):
            return "for \(labels.list(session.calls)), SSRC \(session.ssrc)"
        case .callChanged(let call), .operated(let call): return call.text(labels)
        case .observed(let call):
            let state = call.hasEnded ? "ended" : call.isOnHold ? "held" : call.hasConnected ? "connected" : "begun"
            return "\(labels[call.uuid]) \(state) on \(call.deviceName ?? call.deviceID)"
        case .dtmf(let call, let digits, let type):
            return "\(labels[call]) \(digits)" + (type == .singleTone ? "" : ", \(type)")
        case .audioSources(let sources):
            let names = sources.map { "\($0.handle.text) on \(labels[$0.callUUID]) with SSRC \($0.ssrc)" }
            return names.isEmpty ? "none" : names.joined(separator: ", ")
        }
    }
}

extension CallSnapshot {
    fileprivate func text(_ labels: CallLabels) -> String {
        var words = ["\(labels[uuid]) \(state)"]
        if let endedReason { words[0] += " \(endedReason)" }
        if let cause { words.append("\(cause)") }
        words.append((isOutgoing ? "to " : "from ") + remoteHandle.text)
        if isMuted { words.append("muted") }
        if remoteIsRinging { words.append("remotely ringing") }
        if remoteIsOnHold { words.append("held by the other side") }
        if let group { words.append("in group \(group.shortText)") }
        if !participants.isEmpty { words.append("participants \(participants.count)") }
        if let transferor { words.append("transferred by \(transferor.handle.text)") }
        if let returned { words.append("back from \(returned.handle.text)") }
        if let message { words.append("message \(quoted(message))") }
        if hasVideo { words.append("video") }
        if isExternal { words.append("external") }
        if !choices.isEmpty { words.append("choices " + choices.map(\.name.rawValue).joined(separator: "/")) }
        return words.joined(separator: ", ")
    }
}
