public import HubEngine

/// One step of a schedule.
///
/// It stays meaningful when others are left out: calls are named by what they are (the first that rings, say), modulo how many
/// there are, and what makes no sense just then is not done. So a schedule can be shrunk by leaving steps out.
public struct Operation: Hashable, Sendable {
    /// Who does it: a place in the shape's devices, modulo their number.
    public var device: Int
    /// What is done.
    public var deed: Deed

    /// What can be done.
    public enum Deed: Hashable, Sendable {
        // The connection.
        case signIn
        case leave
        case drop(noticedAfter: Int)
        case resume(resends: Bool)
        case network(up: Int, down: Int)

        // What a client asks for.
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

        // The world.
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

    /// A call by what it is to the device.
    public enum Which: Hashable, Sendable {
        case active(Int)
        case held(Int)
        case ringing(Int)
        case any(Int)
        case grouped(Int)
        /// One that has ended.
        case gone(Int)
        /// One of somebody else's.
        case foreign(Int)
    }
}

/// A world and what happens in it: everything that is needed to have the same again.
public struct Scenario: Hashable, Sendable {
    /// Who there is.
    public var shape: WorldShape
    /// What happens, in order.
    public var operations: [Operation]
    /// Whether every device is looked at after every event, and not only those that the event concerns and now and then all.
    public var isWatchedClosely = true
}

/// A rule that was broken.
public struct Violation: Error, Hashable, Sendable {
    /// The rule, the same words each time: a schedule is shrunk for one rule.
    public var rule: String
    /// Who broke it and how.
    public var detail: String
    /// The number of the engine's event after which it was.
    public var event: Int
}
