import HubEngine
import HubSimulation
import Testing

/// The possible outcomes of an action that a client is to fulfil: the columns of the table of actions.
enum ActionOutcome: String, CaseIterable {
    case fulfilled
    case failed
    case lastFailed = "the last one failed"
    case late = "not answered in time"
    case farEnds = "the other party ends"
    case otherEnds = "the held call's party ends"
    case invalidated = "the provider is invalidated"
    case lost = "the device is lost for 60 s"
}

/// The actions that a client may have pending: the rows of the table.
enum PendingActionCase: String, CaseIterable, CustomTestStringConvertible {
    case start
    case startBesideActive = "start, beside an active call"
    case answer
    case end
    case hold = "setHeld true"
    case resume = "setHeld false"
    case swap
    case mute = "setMuted"
    case merge = "setGroup with the held call"
    case split = "setGroup null"
    case digits = "playDTMF"
    case pull
    case transfer = "transfer to the held call"
    case handOver = "transfer to a handle"
    case translate = "setTranslating"

    var testDescription: String { rawValue }
}

extension CallWorld {
    /// Returns the change of an action's call and, after a semicolon, of the other call if there is one.
    static func outcome(of underway: PendingActionCase, _ fate: ActionOutcome) throws -> String {
        var world = try CallWorld(underway.situation, beside: underway.heldParty)
        return try world.outcome(of: underway, fate)
    }

    private mutating func outcome(of underway: PendingActionCase, _ fate: ActionOutcome) throws -> String {
        let actions = actions(underway)
        let before = (own: own, excluding: excluding)
        let refusal = hub.request(device, actions)
        try #require(refusal == nil, "\(underway)")
        try apply(fate)
        fulfillAll()
        guard hub.violations.isEmpty else { return hub.violations[0] }
        let change = before.own.change(to: own)
        return other == nil ? change : "\(change); \(before.excluding.change(to: excluding))"
    }

    private mutating func actions(_ underway: PendingActionCase) -> [(CallUUID, ActionKind)] {
        let start = ActionKind.start(handle: .generic("peer"), isVideo: false, contactIdentifier: nil)
        switch underway {
        case .start:
            call = hub.makeUUID()
            return [(call, start)]
        case .startBesideActive:
            other = call
            call = hub.makeUUID()
            return [(call, start)]
        case .answer: return [(call, .answer)]
        case .end: return [(call, .end)]
        case .hold: return [(call, .setHeld(true))]
        case .resume: return [(call, .setHeld(false))]
        case .swap: return [(call, .setHeld(true)), (other ?? call, .setHeld(false))]
        case .mute: return [(call, .setMuted(true))]
        case .merge: return [(call, .setGroup(with: other))]
        case .split: return [(call, .setGroup(with: nil))]
        case .digits: return [(call, .playDTMF(digits: "5", type: .singleTone))]
        case .pull: return [(call, .pull)]
        case .transfer: return [(call, .transfer(to: .call(other ?? call)))]
        case .handOver: return [(call, .transfer(to: .handle(.generic("third"))))]
        case .translate: return [(call, .setTranslating(true, localLanguage: "de", remoteLanguage: "en"))]
        }
    }

    private mutating func apply(_ fate: ActionOutcome) throws {
        switch fate {
        case .fulfilled: return
        case .failed:
            for action in readAll() { hub.ask(device, .fail(action.uuid)) }
        case .lastFailed:
            var actions = readAll()
            while let action = actions.first {
                guard case .pending(_, let pending) = hub.ask(device, .pending(type: nil, callUUID: nil)) else {
                    return
                }
                hub.ask(device, pending.count > 1 ? .fulfill(action.uuid, date: nil) : .fail(action.uuid))
                actions = pending.count > 1 ? readAll() : []
            }
        case .late:
            let deadline = hub.engine.nextDeadline
            hub.wait(.nanoseconds(try #require(deadline).nanoseconds - hub.now.nanoseconds))
        case .farEnds:
            if let farCall { hub.request(peer, farCall, .end) }
        case .otherEnds:
            if let other { hub.ask(device, .reportCallEnded(other, .remoteEnded, date: nil)) }
        case .invalidated: hub.ask(device, .invalidate)
        case .lost:
            hub.handle(.sessionLost(device))
            hub.wait(.seconds(60))
        }
    }
}

extension PendingActionCase {
    var situation: CallSituation {
        switch self {
        case .start: .ended
        case .startBesideActive, .end, .hold, .swap, .mute, .merge, .digits, .transfer, .handOver,
            .translate:
            .connected
        case .answer: .ringing
        case .resume: .held
        case .split: .groupActive
        case .pull: .elsewhere
        }
    }

    /// The other party of the held call that the action needs; nil: it needs none.
    var heldParty: CallWorld.HeldParty? {
        switch self {
        case .swap, .merge: .echo
        case .transfer: .third
        case .start, .startBesideActive, .answer, .end, .hold, .resume, .mute, .split, .digits, .pull, .handOver,
            .translate:
            nil
        }
    }
}
