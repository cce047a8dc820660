import CommandLineTools
import HubClient
import HubEngine
import HubWire

extension CallSnapshot {
    /// A line for people about the change of the call since `before`; nil: nothing worth a line.
    func sentence(since before: CallSnapshot?) -> (text: String, emphasis: PhoneReporter.Emphasis)? {
        let name = shownName
        if state != before?.state {
            switch state {
            case .starting: return ("Calling \(name) …", .faint)
            case .connecting: return isOutgoing || before != nil ? nil : ("Connecting with \(name) …", .faint)
            case .ringing:
                let others = choices.contains { $0.name == .holdAndAccept } ? ", and holds the other call" : ""
                return ("\(callSentence) `answer` takes the call\(others); `end` declines it.", .ringing)
            case .connected:
                if group != nil { return (groupSentence, .good) }
                return before?.state == .held
                    ? ("The call with \(name) goes on.", .good) : ("Connected with \(name).", .good)
            case .held: return ("The call with \(name) is on hold.", .none)
            case .ended: return (endSentence, .none)
            }
        }
        if let before, group != before.group { return (groupSentence, .none) }
        if let before, let sentence = transferSentence(since: before) { return (sentence, .none) }
        if remoteIsRinging, before?.remoteIsRinging != true { return ("It rings at \(name).", .faint) }
        if let before, remoteIsOnHold != before.remoteIsOnHold {
            return (remoteIsOnHold ? "\(name) has put you on hold." : "\(name) is back.", .none)
        }
        if let before, hasConnected, before.remoteIsRinging, !remoteIsRinging {
            return ("Connected with \(name).", .good)
        }
        if let before, isMuted != before.isMuted {
            return (isMuted ? "\(name) does not hear you now." : "\(name) hears you again.", .none)
        }
        return nil
    }

    /// The sentence of a ringing call: the caller, and the user who has transferred the call.
    private var callSentence: String {
        if let returned {
            let why = returned.cause.map { returned.reason($0) } ?? "was not reached"
            return "\(shownName) is back: \(returned.handle.value) \(why)."
        }
        return transferor.map { "\(shownName) calls, transferred by \($0.shownName)." } ?? "\(shownName) calls."
    }

    /// A sentence about a transfer of the call to somebody else, or its return; nil: there was none.
    private func transferSentence(since before: CallSnapshot) -> String? {
        guard wasTransferred(since: before) else { return nil }
        if let transferor { return "\(transferor.shownName) has transferred you to \(shownName)." }
        return "\(before.shownName) does not take the call; it goes back to \(shownName)."
    }

    private var groupSentence: String {
        group == nil ? "\(shownName) is not in the group any more." : "\(shownName) is in the group."
    }

    /// The caller's name with the handle, or the handle alone if they are the same.
    var shownName: String {
        if nameSource == .hidden { return "an unknown caller" }
        return remoteHandle.shown(as: directoryTitle.map { "\($0): \(localizedCallerName)" } ?? localizedCallerName)
    }

    private var endSentence: String {
        let name = shownName
        if cause == .transferred { return "You have transferred the call with \(name)." }
        if let talkSeconds {
            let seconds = Int(talkSeconds.rounded())
            let length = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
            return endedReason == .failed
                ? "The call with \(name) broke off after \(length)\(causeText)."
                : "The call with \(name) has ended after \(length)."
        }
        switch endedReason {
        case nil: return "The call with \(name) has ended."
        case .failed: return "The call with \(name) failed\(causeText)."
        case .remoteEnded where cause == .declined:
            return message.map { "\(name) declined: \(visible($0))" } ?? "\(name) declined."
        case .remoteEnded where cause == .busy: return "\(name) is busy."
        case .remoteEnded: return isOutgoing ? "\(name) has ended the call." : "You missed a call of \(name)."
        case .unanswered: return isOutgoing ? "\(name) did not answer." : "You missed a call of \(name)."
        case .answeredElsewhere where cause == .pulled: return "The call with \(name) goes on, on another device."
        case .answeredElsewhere: return "The call of \(name) was answered on another device."
        case .declinedElsewhere: return "The call of \(name) was declined on another device."
        }
    }

    private var causeText: String {
        switch cause {
        case nil: ""
        case .busy: ": busy"
        case .declined: ": declined"
        case .cancelled: ": cancelled"
        case .unknownHandle: ": nobody has that handle"
        case .offline: ": not signed in on any device"
        case .timeout: ": it took too long"
        case .actionFailed: ": the device could not do it"
        case .connectionLost: ": the connection of the other side was lost"
        case .providerInvalidated: ": the device gave up its calls"
        case .pulled: ": taken over by another device"
        case .transferred: ": transferred"
        case .shutdown: ": the hub stops"
        case .administrator: ": ended by an administrator"
        }
    }
}

extension CallSnapshot {
    /// A line for people about the people in the conversation, if they have changed since `before`; nil: they have not.
    func participantsSentence(since before: CallSnapshot?) -> String? {
        guard !hasEnded, participants != before?.participants ?? [] else { return nil }
        if !participants.isEmpty {
            return
                "In the conversation: \(([shownName] + participants.map(\.shownName)).sorted().joined(separator: ", "))."
        }
        // The end of one's own group has a line of its own.
        return group == before?.group ? "Only \(shownName) is left in the conversation." : nil
    }
}

extension ReturnedTransfer {
    /// The reason why the target did not take the call, as the end of a sentence about it.
    fileprivate func reason(_ cause: EndCause) -> String {
        switch cause {
        case .declined: "declined"
        case .busy: "is busy"
        case .timeout: "did not answer"
        case .offline: "is not signed in"
        case .unknownHandle: "is nobody's handle"
        default: "was not reached"
        }
    }
}

extension CallParticipant {
    /// The name with the handle, or the handle alone if they are the same.
    var shownName: String { nameSource == .hidden ? "somebody unnamed" : handle.shown(as: name) }
}

extension AudioSource {
    /// The name with the handle, or the handle alone if they are the same.
    var shownName: String { handle.shown(as: name) }
}

extension Handle {
    /// A name with the handle, or the handle alone if they are the same.
    fileprivate func shown(as name: String) -> String {
        let shown = name.isEmpty || name == value ? text : "\(name) (\(text))"
        // The name is untrusted: it must not move the cursor or change the colours.
        return String(shown.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : $0 })
    }
}
