import HubEngine
import HubSimulation

/// The events and requests of a call: the rows of the transition tables, under their names.
enum TransitionTrigger: String, CaseIterable {
    // Requests.
    case start = "start (its UUID)"
    case answer
    case end
    case decline = "end with a message"
    case hold = "setHeld true"
    case resume = "setHeld false"
    case mute = "setMuted true"
    case unmute = "setMuted false"
    case group = "setGroup with a held call"
    case groupWithUnknown = "setGroup with an unknown call"
    case groupWithItself = "setGroup with itself"
    case ungroup = "setGroup null"
    case singleTone = "playDTMF singleTone"
    case softPause = "playDTMF softPause"
    case hardPause = "playDTMF hardPause"
    case pull
    case transfer = "transfer to a held call"
    case handOver = "transfer to a handle"
    case translate = "setTranslating true"
    case unknown = "an unknown action"
    // Reports of the client.
    case reportNew = "reportNewIncomingCall (its UUID)"
    case reportName = "reportCall (a name)"
    case reportFailed = "reportCallEnded failed"
    case reportAnsweredElsewhere = "reportCallEnded answeredElsewhere"
    case reportConnecting = "reportOutgoingCall startedConnecting"
    case reportConnected = "reportOutgoingCall connected"
    // Events from other parties, the connection and the hub.
    case farEnds = "the other party ends"
    case farHolds = "the other party holds"
    case farTransfers = "the other party transfers"
    case farInvalidates = "the other party invalidates"
    case farLeaves = "the other party leaves"
    case farIsLost = "the other party is lost for 60 s"
    case lost = "the connection is lost"
    case graceOver = "… and not back after 60 s"
    case closed = "the session is closed"
    case replaced = "the device signs in anew"
    case invalidated = "the provider is invalidated"
    case configured = "the provider is configured"
    case drained = "the hub stops"
    // Elapsed time.
    case shortWait = "5 s pass"
    case longWait = "60 s pass"
    case longestWait = "600 s pass"
}

extension CallWorld {
    /// Returns the effect of an event on a call in a situation, for the device and for the other party.
    static func outcome(of trigger: TransitionTrigger, in situation: CallSituation) throws -> (own: String, far: String)
    {
        var world = try CallWorld(situation, beside: trigger == .group ? .echo : trigger == .transfer ? .third : nil)
        let before = (own: world.own, far: world.far)
        if let refusal = try world.apply(trigger) { return (refusal.number, "–") }
        world.fulfillAll()
        if !world.hub.violations.isEmpty { return (world.hub.violations[0], "–") }
        let own = before.own.change(to: world.own)
        let far = world.farCall == nil ? "–" : before.far.change(to: world.far)
        return (own, far == "no-op" && world.hasHeardDigits ? "hears digits" : far)
    }

    private mutating func apply(_ trigger: TransitionTrigger) throws -> Refusal.Code? {
        if let kind = actionKind(trigger) {
            let refusal = ask(kind)
            // Digits after a pause wait for their turn.
            if trigger == .softPause { hub.wait(.seconds(2)) }
            return refusal
        }
        if let request = request(trigger) {
            guard case .refused(let refusal) = hub.ask(device, request) else { return nil }
            return refusal.code
        }
        switch trigger {
        case .farEnds: performAtFarEnd(.end)
        case .farHolds: performAtFarEnd(.setHeld(true))
        case .farTransfers: performAtFarEnd(.transfer(to: .handle(.generic("third"))))
        case .farInvalidates: hub.ask(peer, .invalidate)
        case .farLeaves: hub.handle(.sessionClosed(peer))
        case .farIsLost:
            hub.handle(.sessionLost(peer))
            hub.wait(.seconds(60))
        case .lost: hub.handle(.sessionLost(device))
        case .graceOver:
            hub.handle(.sessionLost(device))
            hub.wait(.seconds(60))
        case .closed: hub.handle(.sessionClosed(device))
        case .replaced: _ = try hub.open("device", fulfillment: .manual)
        case .drained:
            hub.handle(.drain(until: hub.now))
            hub.wait(.seconds(1))
        case .shortWait: hub.wait(.seconds(5))
        case .longWait: hub.wait(.seconds(60))
        case .longestWait: hub.wait(.seconds(600))
        default: break
        }
        return nil
    }

    private mutating func performAtFarEnd(_ kind: ActionKind) {
        if let farCall { hub.request(peer, farCall, kind) }
    }

    private mutating func actionKind(_ trigger: TransitionTrigger) -> ActionKind? {
        switch trigger {
        case .start: .start(handle: .generic("peer"), isVideo: false, contactIdentifier: nil)
        case .answer: .answer
        case .end: .end
        case .decline: .decline(message: "Later", onlyHere: false)
        case .hold: .setHeld(true)
        case .resume: .setHeld(false)
        case .mute: .setMuted(true)
        case .unmute: .setMuted(false)
        case .group: .setGroup(with: other)
        case .groupWithUnknown: .setGroup(with: hub.makeUUID())
        case .groupWithItself: .setGroup(with: call)
        case .ungroup: .setGroup(with: nil)
        case .singleTone: .playDTMF(digits: "5", type: .singleTone)
        case .softPause: .playDTMF(digits: "5", type: .softPause)
        case .hardPause: .playDTMF(digits: "5", type: .hardPause)
        case .pull: .pull
        case .transfer: other.map { .transfer(to: .call($0)) }
        case .handOver: .transfer(to: .handle(.generic("third")))
        case .translate: .setTranslating(true, localLanguage: "de", remoteLanguage: "en")
        case .unknown: .unknown(type: "wave")
        default: nil
        }
    }

    private func request(_ trigger: TransitionTrigger) -> Request? {
        switch trigger {
        case .reportNew: return .reportNewIncomingCall(call, .outsider)
        case .reportName:
            var update = CallUpdate()
            update.localizedCallerName = "Somebody"
            return .reportCall(call, update)
        case .reportFailed: return .reportCallEnded(call, .failed, date: nil)
        case .reportAnsweredElsewhere: return .reportCallEnded(call, .answeredElsewhere, date: nil)
        case .reportConnecting: return .reportOutgoingCall(call, .startedConnecting, date: nil)
        case .reportConnected: return .reportOutgoingCall(call, .connected, date: nil)
        case .invalidated: return .invalidate
        case .configured: return .configure(ProviderConfiguration())
        default: return nil
        }
    }
}
