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
    public var deed: Deed

    /// The actions of devices and of the world.
    public enum Deed: Hashable, Sendable {
        // The connection.
        case signIn
        case leave
        case drop(noticedAfter: Int)
        case resume(resends: Bool)
        case network(up: Int, down: Int)

        // Requests of a client.
        case choose(ringing: Int, choice: Int)
        case request([Wish])
        case respond(which: Int, fulfills: Bool)
        case respondAgain(which: Int)
        case execute(which: Int, handled: Bool)
        case reportIncoming(caller: Int, uuid: Which?, video: Bool)
        case reportUpdate(Which, field: Int, isOn: Bool)
        case reportEnded(Which, EndReason)
        case reportOutgoing(Which, OutgoingCallEvent)
        case configure(groups: Int, perGroup: Int, video: Bool)
        case invalidate
        case ask(pending: Bool)
        case babble(Int)

        // Actions of the world.
        case wait(milliseconds: Int)
        case jump
        case setQuiet(isOn: Bool)
        case setDeviceQuiet(isOn: Bool)
        case setBlocked(account: Int, isOn: Bool)
        case setExempt(account: Int, isOn: Bool)
        case lookUps(take: Int)
        case endConversation(Int)
        case drain(milliseconds: Int)
        case restart
    }

    /// An action of a transaction.
    public enum Wish: Hashable, Sendable {
        case start(target: Int, video: Bool, external: Bool)
        case answer(Which)
        case end(Which)
        /// An end that leaves the account's other devices ringing.
        case endHere(Which)
        case hold(Which, Bool)
        case mute(Which, Bool)
        case merge(Which, with: Which)
        case split(Which)
        case key(Which, String, DTMFType)
        case pull(Int)
        case translate(Which, Bool)
        case nothing(Which)
    }

    /// A call, named by its state on the device and an index modulo the number of such calls.
    public enum Which: Hashable, Sendable {
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

/// A world and its operations: everything that is needed to repeat a run.
public struct Scenario: Hashable, Sendable {
    /// The devices and settings.
    public var shape: WorldShape
    /// The operations, in order.
    public var operations: [Operation]
    /// True to check every device after every event.
    ///
    /// Otherwise the devices that the event concerns are checked, and now and then all.
    public var isWatchedClosely = true
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
