public import HubEngine

/// Something that has to be so.
public indirect enum Assertion: Hashable, Sendable {
    /// All of this holds of somebody's call.
    case call(Who, CallName, [CallFact])
    /// Somebody has so many calls.
    case callCount(Who, Int)
    /// A call rings.
    case rings(Who)
    /// No call begins to ring, all the time.
    case doesNotRing(Who)
    /// Somebody is told something, since the last step.
    case isTold(Who, Telling)
    /// Somebody is not told it, all the time.
    case isNotTold(Who, Telling)
    /// An audio session is active for a call; nil: none is.
    case audio(Who, CallName?)
    /// Somebody's Recents, newest first, all.
    case recents(Who, [RecentFact])
    /// Somebody hears these and nobody else; for so long without a gap.
    case hears(Who, [Voice], for: Duration?)
    /// Somebody hears nothing for so long; nil: 100 ms.
    case hearsNothing(Who, for: Duration?)
    /// Over the whole run somebody has not heard one.
    case neverHears(Who, Voice)
    /// Over the whole run nobody has heard himself.
    case nobodyHearsHimself
    /// Nobody hears anything.
    case nobodyHearsAnybody
    /// One of them holds.
    case either([Assertion])
}

/// Whom a sound is from.
public enum Voice: Hashable, Sendable {
    /// A party of the scenario; all its devices speak alike.
    case party(String)
    /// The hub's hold music.
    case music
    /// The hub's tone of 440 Hz.
    case tone
}

/// Something that holds of a call, as its owner sees it.
public enum CallFact: Hashable, Sendable {
    /// The call's state.
    case state(CallSnapshot.State)
    /// Connected, and held neither here nor there.
    case active
    /// Muted, or not.
    case muted(Bool)
    /// In a group, or not.
    case grouped(Bool)
    /// In one group with another call.
    case groupedWith(CallName)
    /// With video.
    case video
    /// Outgoing, or incoming.
    case outgoing(Bool)
    /// Held by the other side, or not.
    case heldByRemote(Bool)
    /// The other side's device rings.
    case remotelyRinging
    /// Translated.
    case translating
    /// Ended; a reason of nil is by oneself, a cause of nil any.
    case ended(EndReason?, because: EndCause?)
    /// Exactly these choices.
    case offers([Choice.Name])
    /// A name is shown; from there, where that is said.
    case shows(String, from: CallSnapshot.NameSource?)
    /// The opposite of a fact that has no opposite of its own.
    indirect case not(CallFact)
}

/// Something that a client is told.
public enum Telling: Hashable, Sendable {
    /// A notification by its wire name behind the dot, `didBegin`; by the whole one where that ends with `.changed`.
    case notification(String)
    /// `provider.perform` of this action, on a call where one is named.
    case perform(ActionKindName, CallName?)
    /// `call.dtmf` with these digits.
    case digits(String)
    /// `session.closing` with this reason.
    case closing(String)
}

/// An entry of Recents.
public struct RecentFact: Hashable, Sendable {
    /// How the call went.
    public var outcome: RecentCall.Outcome
    /// The other side.
    public var other: Target
    /// Whether it came in.
    public var isIncoming: Bool
    /// Whether it was silenced.
    public var isSilenced: Bool

    /// An entry of its parts.
    public init(_ outcome: RecentCall.Outcome, _ other: Target, isIncoming: Bool, isSilenced: Bool = false) {
        self.outcome = outcome
        self.other = other
        self.isIncoming = isIncoming
        self.isSilenced = isSilenced
    }
}
