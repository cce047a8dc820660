import HubEngine

/// The events that a simulated world has gone through, counted since a rule that no event tests is not checked.
public enum CoverageEvent: Int, CaseIterable, Sendable {
    case answeredElsewhere, declinedElsewhere, declined, busy, offline, unanswered, cancelled
    case merged, groupOfThree, groupHeld, thirdPartyHeard, echoInGroup, pulled, heldBothWays
    case externalRang, externalConnected, externalOutgoingConnected, connectedEarly
    case filtered, reportFiltered, quietDevice, allQuiet, pushSent, rangLate, video, translated
    case digitsHeard, softPause, hardPause
    case timedOut, offered, withdrawn, sentTwice, answeredTwice
    case resumed, replayed, lossDetectedLate, graceExpired, replaced, restarted, reset, drained, invalidated
    case observed, recentAdded, endedByAdministrator
    case participantNamed, participantHidden, declinedWithMessage
    case transferred, transferReturned, joined, placedAnew, ringsAgain, strangerRefused
    case operated, heldOnMachine, holdAudio
}

/// The number of times that each event happened.
public struct EventCoverage: Sendable {
    private var counts = [Int](repeating: 0, count: CoverageEvent.allCases.count)

    /// The number of times that this event happened.
    public subscript(coverageEvent: CoverageEvent) -> Int { counts[coverageEvent.rawValue] }

    /// The events that never happened.
    public var missing: [CoverageEvent] { CoverageEvent.allCases.filter { self[$0] == 0 } }

    /// Adds another world's counts.
    public mutating func add(_ other: EventCoverage) {
        for place in counts.indices { counts[place] += other.counts[place] }
    }

    /// All counts are 0.
    public init() {}

    mutating func note(_ coverageEvent: CoverageEvent) {
        counts[coverageEvent.rawValue] += 1
    }

    mutating func note(_ notification: Notification) {
        switch notification {
        case .didReset: note(.reset)
        case .execute: note(.offered)
        case .timedOutPerforming: note(.timedOut)
        case .dtmf: note(.digitsHeard)
        case .observed: note(.observed)
        case .callChanged(let call): note(call)
        case .perform(_, let action, _, _, _):
            guard case .playDTMF(_, let type) = action.kind else { return }
            if type == .softPause { note(.softPause) }
            if type == .hardPause { note(.hardPause) }
        case .didBegin, .didActivateAudioSession, .didDeactivateAudioSession, .audioSources, .operated: return
        }
    }

    private mutating func note(_ call: CallSnapshot) {
        if call.mustReport { note(.rangLate) }
        if call.isTranslating { note(.translated) }
        if call.hasConnected, call.hasVideo { note(.video) }
        if call.group != nil { note(call.isOnHold ? .groupHeld : .merged) }
        if call.isOnHold, call.remoteIsOnHold { note(.heldBothWays) }
        if call.isExternal, call.state == .ringing { note(.externalRang) }
        if call.isExternal, call.hasConnected {
            note(call.isOutgoing ? .externalOutgoingConnected : .externalConnected)
        }
        if call.participants.contains(where: { $0.nameSource != .hidden }) { note(.participantNamed) }
        if call.participants.contains(where: { $0.nameSource == .hidden }) { note(.participantHidden) }
        if call.message != nil { note(.declinedWithMessage) }
        guard call.hasEnded else { return }
        switch (call.endedReason, call.cause) {
        case (_, .busy): note(.busy)
        case (_, .offline): note(.offline)
        case (_, .pulled): note(.pulled)
        case (_, .declined): note(.declined)
        case (_, .cancelled): note(.cancelled)
        case (_, .connectionLost): note(.graceExpired)
        case (.unanswered, _): note(.unanswered)
        case (.answeredElsewhere, _): note(.answeredElsewhere)
        case (.declinedElsewhere, _): note(.declinedElsewhere)
        default: return
        }
    }
}
