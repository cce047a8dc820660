public import HubEngine

/// A condition that an `expect` line requires.
public indirect enum Assertion: Hashable, Sendable {
    /// All of these matchers match a party's call.
    case call(DeviceReference, CallName, [CallMatcher])
    /// A party has this number of calls.
    case callCount(DeviceReference, Int)
    /// A call rings.
    case rings(DeviceReference)
    /// No call begins to ring throughout the waiting time.
    case doesNotRing(DeviceReference)
    /// A device has received a notification since the last step that is no expectation.
    case receivesNotification(DeviceReference, NotificationMatcher)
    /// A device does not receive the notification throughout the waiting time.
    case receivesNoNotification(DeviceReference, NotificationMatcher)
    /// An audio session is active for a call; nil: none is.
    case audio(DeviceReference, CallName?)
    /// A party's complete Recents, newest first.
    case recents(DeviceReference, [RecentCallMatcher])
    /// A device is told exactly these providers of its account, in any order.
    case providers(DeviceReference, [ProviderMatcher])
    /// The hub lists exactly these call directories of a device's account, in any order.
    case directories(DeviceReference, [DirectoryMatcher])
    /// A device sees a party, or the owner of a handle, with this presence, by its name in the protocol.
    case sees(DeviceReference, Target, String)
    /// A device receives exactly these voices, without a gap for a duration if one is given.
    case hears(DeviceReference, [Voice], for: Duration?)
    /// A device receives silence for a duration; nil: 100 ms.
    case hearsNothing(DeviceReference, for: Duration?)
    /// A device does not receive this voice during the whole run.
    case neverHears(DeviceReference, Voice)
    /// No device receives its own party's voice during the whole run, unless the party calls `echo`.
    case nobodyHearsHimself
    /// No device receives any voice.
    case nobodyHearsAnybody
    /// At least one of them is true.
    case either([Assertion])
}

/// The source of a sound.
public enum Voice: Hashable, Sendable {
    /// A party of the scenario; all its devices send the same sound.
    case party(String)
    /// The hub's hold music.
    case music
    /// The hub's tone of 440 Hz.
    case tone
}

/// A property that an expectation requires of a call, from its owner's side.
public enum CallMatcher: Hashable, Sendable {
    /// The call's state.
    case state(CallSnapshot.State)
    /// Connected, and on hold at neither end.
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
    /// Translated; with an engine, the owner's client has said that this one translates.
    case translating(by: TranslationEngine?)
    /// Ended; a nil reason means that the owner ended it, a nil cause any cause.
    case ended(EndReason?, because: EndCause?)
    /// Exactly these choices are offered.
    case offers([Choice.Name])
    /// A name is displayed; with a source, the name comes from that source, with a title from the directory of it.
    case shows(String, from: CallSnapshot.NameSource?, titled: String? = nil)
    /// Exactly these other people are in the conversation of its group, in any order.
    case includes([ParticipantMatcher])
    /// The other party, as the call shows it.
    case with(Target)
    /// The user who has transferred the call.
    case transferredBy(Target)
    /// The call came back from a transfer that has failed; with a cause, for that reason.
    case returned(EndCause?)
    /// The callee has declined with this text; nil: there is none.
    case says(String?)
    /// The negation of a matcher that has no opposite of its own.
    indirect case not(CallMatcher)
}

/// An expected call directory of an account.
public struct DirectoryMatcher: Hashable, Sendable {
    /// The name of the extension.
    public var name: String
    /// The title that is shown in front of its labels; nil: it has none.
    public var title: String?
    /// True if its entries are used.
    public var isEnabled = true
    /// The reason why its last load was not stored; nil: it was, or no reason was given.
    public var failure: String?

    /// Creates an expected directory without a title, which is enabled and whose last load was stored.
    public init(_ name: String) {
        self.name = name
    }
}

/// An expected person in the conversation of a group.
public enum ParticipantMatcher: Hashable, Sendable {
    /// A person; with a name, the name is displayed.
    case person(Target, named: String?)
    /// A person who is not named.
    case somebody
}

/// An expected notification to a client.
public enum NotificationMatcher: Hashable, Sendable {
    /// A notification by its wire name behind the dot, `didBegin`, or by the whole name if that ends with `.changed`.
    case notification(String)
    /// `provider.perform` of this action, for a call if one is named.
    case perform(ActionKindName, CallName?)
    /// `call.dtmf` with these digits.
    case digits(String)
    /// `session.closing` with this reason.
    case closing(String)
}

/// An expected entry of Recents.
public struct RecentCallMatcher: Hashable, Sendable {
    /// The outcome of the call.
    public var outcome: RecentCall.Outcome
    /// The other side.
    public var other: Target
    /// Indicates that the call was incoming.
    public var isIncoming: Bool
    /// Indicates that it was a video call.
    public var hasVideo: Bool
    /// The name of the provider that the call was of; nil: any, or none.
    public var provider: String?
    /// Indicates that the call was silenced.
    public var isSilenced: Bool

    /// Creates an entry from its parts.
    public init(
        _ outcome: RecentCall.Outcome,
        _ other: Target,
        isIncoming: Bool,
        hasVideo: Bool = false,
        provider: String? = nil,
        isSilenced: Bool = false
    ) {
        (self.outcome, self.other, self.isIncoming) = (outcome, other, isIncoming)
        (self.hasVideo, self.provider, self.isSilenced) = (hasVideo, provider, isSilenced)
    }
}
