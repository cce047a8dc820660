public import HubEngine

/// One step of a schedule.
///
/// It stays meaningful when others are left out: calls are named by their state and an index (the first that rings,
/// say), modulo their number, and a step that makes no sense at the time is skipped. So a schedule can be shrunk by
/// leaving steps out.
public struct Operation: Hashable, Sendable {
    /// The device that acts: an index into the shape's devices, modulo their number.
    public var device: Int
    /// The action.
    public var step: Step

    /// The actions of devices and of the world.
    public enum Step: Hashable, Sendable {
        // The connection.
        case signIn
        case leave
        case drop(noticedAfter: Int)
        case resume(resends: Bool)
        case network(uplink: Int, downlink: Int)

        // Requests of a client.
        case choose(ringing: Int, choice: Int)
        case request([RequestedAction])
        case respond(selector: Int, fulfills: Bool)
        case respondAgain(selector: Int)
        case execute(selector: Int, handled: Bool)
        case reportIncoming(caller: Int, uuid: CallSelector?, video: Bool)
        case reportUpdate(CallSelector, field: Int, isOn: Bool)
        case reportEnded(CallSelector, EndReason)
        case reportOutgoing(CallSelector, OutgoingCallEvent)
        case configure(groups: Int, perGroup: Int, video: Bool, offered: Bool?)
        case invalidate
        case ask(pending: Bool)
        case sendNonsense(Int)

        // Actions of the world.
        case wait(milliseconds: Int)
        case skipToNextTimer
        case setQuiet(isOn: Bool)
        case setDeviceQuiet(isOn: Bool)
        case setBlocked(account: Int, isOn: Bool)
        case setExempt(account: Int, isOn: Bool)
        /// The account is not named to the other members of groups, or is again.
        case setHidden(isOn: Bool)
        case setRefusingStrangers(isOn: Bool)
        case setHoldAudio(HoldAudio)
        case lookUps(take: Int)
        case endConversation(Int)
        case drain(milliseconds: Int)
        case restart
    }

    /// An action of a transaction.
    public enum RequestedAction: Hashable, Sendable {
        case start(target: Int, video: Bool, external: Bool)
        case answer(CallSelector)
        case end(CallSelector)
        /// An end that leaves the account's other devices ringing.
        case endHere(CallSelector)
        /// A decline with a text, on all devices of the account or on this one alone.
        case decline(CallSelector, onlyHere: Bool)
        case hold(CallSelector, Bool)
        case mute(CallSelector, Bool)
        case merge(CallSelector, with: CallSelector)
        case split(CallSelector)
        case key(CallSelector, String, DTMFType)
        case pull(Int)
        /// A transfer to the other party of another call.
        case join(CallSelector, with: CallSelector)
        /// A transfer to a handle.
        case handOver(CallSelector, target: Int)
        case translate(CallSelector, Bool)
        case nothing(CallSelector)
    }

    /// A call, named by its state on the device and an index modulo the number of such calls.
    public enum CallSelector: Hashable, Sendable {
        case active(Int)
        case held(Int)
        case ringing(Int)
        case any(Int)
        case grouped(Int)
        /// A call that has ended.
        case gone(Int)
        /// A call of another device.
        case foreign(Int)
    }
}

/// A schedule: a world and its operations, which are sufficient to repeat a run.
public struct Schedule: Hashable, Sendable {
    /// The devices and settings.
    public var shape: WorldShape
    /// The operations, in order.
    public var operations: [Operation]
    /// True to check every device after every event.
    ///
    /// Otherwise the devices that the event concerns are checked, and now and then all.
    public var checksEveryDevice = true
}

/// A rule that was broken.
public struct Violation: Error, Hashable, Sendable {
    /// The rule, in the same words each time, since a schedule is shrunk for one rule.
    public var rule: String
    /// The device that broke it, and the circumstances.
    public var detail: String
    /// The number of the engine's event after which it was found.
    public var event: Int
}
