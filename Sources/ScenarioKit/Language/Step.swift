public import HubAccountData
public import HubEngine

/// A line of a scenario, with the lines indented under it.
public struct Step: Hashable, Sendable {
    /// The line's number in the file, from 1.
    public var line: Int
    /// The line's text with variables filled in.
    public var text: String
    /// The action or expectation of the line.
    public var stepAction: StepAction

    /// Creates a step from its parts.
    public init(line: Int, text: String, stepAction: StepAction) {
        self.line = line
        self.text = text
        self.stepAction = stepAction
    }
}

/// The action or expectation of a step.
public indirect enum StepAction: Hashable, Sendable {
    /// A transaction; `refusal` is the name of the error with which the hub must refuse it, nil: it must be accepted.
    case transaction(DeviceReference, [ScriptedAction], refusal: String?)
    /// One of the choices that the hub offers for a ringing call.
    case choose(DeviceReference, Choice.Name, CallName)
    /// A transaction that holds the active call and resumes a held one; nil calls: the only ones of the device.
    case swap(DeviceReference, CallName?, CallName?)
    /// A manual client's response to an action that it was asked to perform.
    case respond(DeviceReference, ActionResponse, ActionKindName, CallName)
    /// A switch of a manual client: from now on it fulfills all actions, or none.
    case fulfillsEverything(DeviceReference, Bool)
    /// The answer to `provider.execute`.
    case executed(DeviceReference, handled: Bool)
    /// A report to the hub of a call that the party carries outside it.
    case report(DeviceReference, Report, refusal: String?)
    /// A request that changes the account's data, such as settings, contacts and blocked callers.
    case changeAccountData(DeviceReference, AccountDataChange, refusal: String?)
    /// `provider.setAppearance`: the icon and the ringtone on the screens of the device's account.
    case showAppearance(DeviceReference, AppearanceChange, refusal: String?)
    /// `presence.set`: the device's user is away, or back.
    case presence(DeviceReference, isAway: Bool)
    /// `provider.configure` with the new configuration.
    ///
    /// `offered` says whether later transactions are offered as a whole first; nil: as before.
    case configure(DeviceReference, ProviderConfiguration, offered: Bool?, refusal: String?)
    /// `provider.invalidate`.
    case invalidate(DeviceReference)
    /// A change of a device's connection; only resuming and signing in are requests, which can be refused.
    case connection(DeviceReference, ConnectionAction, refusal: String?)
    /// A request that may be accepted or refused, for race conditions.
    case attempt(StepAction)
    /// A new source of sound of a device's microphone.
    case audioSource(DeviceReference, AudioSourceSpec)
    /// A change of the hub's process.
    case hub(HubProcessAction)
    /// A pause.
    case wait(Duration)
    /// A jump of the hub's clock.
    case clockJumps(Duration)
    /// An expectation and its time limit; nil: the scenario's patience.
    case expect(Assertion, within: Duration?)
    /// Steps that all begin before the first one is answered.
    case together([Step])
    /// Steps in random order, one after the other.
    case inAnyOrder([Step])
    /// Steps that each begin at a random moment.
    case atRandom(within: Duration, [Step])

    /// The device that performs it; nil: it is not performed by one device.
    var deviceReference: DeviceReference? {
        switch self {
        case .transaction(let deviceReference, _, _), .choose(let deviceReference, _, _),
            .swap(let deviceReference, _, _), .respond(let deviceReference, _, _, _),
            .fulfillsEverything(let deviceReference, _), .executed(let deviceReference, _),
            .report(let deviceReference, _, _),
            .changeAccountData(let deviceReference, _, _), .showAppearance(let deviceReference, _, _),
            .presence(let deviceReference, _),
            .configure(let deviceReference, _, _, _),
            .invalidate(let deviceReference), .connection(let deviceReference, _, _),
            .audioSource(let deviceReference, _):
            deviceReference
        case .attempt(let stepAction): stepAction.deviceReference
        case .hub, .wait, .clockJumps, .expect, .together, .inAnyOrder, .atRandom: nil
        }
    }

    /// Indicates that it affects the whole hub, so that a hub that others use is not suitable.
    var affectsWholeHub: Bool {
        switch self {
        case .hub, .clockJumps: true
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.contains { $0.stepAction.affectsWholeHub }
        default: false
        }
    }
}

/// The name of a call in a scenario: of a conversation, and of each party's call in it.
public struct CallName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name; it begins with a capital.
    public var text: String

    /// Creates a name.
    public init(_ text: String) {
        self.text = text
    }

    /// Creates a name from a string literal.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// The name.
    public var description: String { text }
}

/// An action of a transaction, as a line contains it.
public indirect enum ScriptedAction: Hashable, Sendable {
    /// Starts a call, which has this name from now on.
    case call(Target, CallName, isVideo: Bool)
    /// Answers a call.
    case answer(CallName)
    /// Ends a call, or declines it.
    case end(CallName)
    /// Ends a ringing call on this device alone.
    case endHere(CallName)
    /// Declines a ringing call with a text for the caller, on all devices or on this one alone.
    case decline(CallName, saying: String, isHere: Bool)
    /// Holds, or un-holds.
    case setHeld(CallName, Bool)
    /// Mutes, or un-mutes.
    case setMuted(CallName, Bool)
    /// Puts a call into another one's group; nil: takes it out of its own.
    case setGroup(CallName, with: CallName?)
    /// Sends DTMF digits.
    case key(String, CallName)
    /// Takes a call over from another device of the account.
    case pull(CallName)
    /// Connects a call's other party with somebody else, and leaves.
    case transfer(CallName, to: TransferDestination)
    /// Turns a call's translation on or off.
    case setTranslating(CallName, Bool, from: String?, to: String?)
}

/// The party that a call is transferred to.
public enum TransferDestination: Hashable, Sendable {
    /// The other party of another call.
    case call(CallName)
    /// A party or handle, which is called.
    case target(Target)
}

/// The party or handle that a call or a list entry refers to.
public enum Target: Hashable, Sendable {
    /// A party of the scenario.
    case party(String)
    /// Any other handle, such as a built-in party's.
    case handle(Handle)
}

/// The names of actions in lines that fulfill, fail or expect them; `hold` and `unhold` are separate.
public enum ActionKindName: String, Hashable, Sendable, CaseIterable {
    case start, answer, end, hold, unhold, mute, unmute, group, ungroup, key, pull, transfer, translate
}

/// A manual client's response to an action that it was asked to perform.
public enum ActionResponse: Hashable, Sendable {
    /// `action.fulfill`.
    case fulfills
    /// `action.fulfill` of a translation, which this engine does.
    case fulfillsBy(TranslationEngine)
    /// `action.fail`.
    case fails
    /// No response; the device must still have received the action.
    case ignores
}

/// A report of a call that is carried outside the hub.
public enum Report: Hashable, Sendable {
    /// `provider.reportNewIncomingCall`; nil target: nobody knows the caller.
    case incoming(Target?, CallName, CallUpdate)
    /// `provider.reportCallEnded`.
    case ended(CallName, EndReason)
    /// `provider.reportOutgoingCall`: startedConnecting.
    case connecting(CallName)
    /// `provider.reportOutgoingCall`: connected.
    case connected(CallName)
    /// `provider.reportCall`.
    case update(CallName, CallUpdate)
}

/// A change of an account's data.
public enum AccountDataChange: Hashable, Sendable {
    /// `settings.set` doNotDisturb, of the account or of this device only.
    case doNotDisturb(Bool, isThisDeviceOnly: Bool)
    /// `settings.set` displayName.
    case displayName(String)
    /// `settings.set` isNamedInGroups.
    case namedInGroups(Bool)
    /// `settings.set` acceptsTransferredStrangers.
    case transfersOfStrangers(Bool)
    /// `settings.set` holdAudio.
    case holdAudio(HoldAudioChoice)
    /// `settings.set` isListed.
    case listed(Bool)
    /// `block.add`; a number with `*` at its end blocks all numbers with that prefix.
    case block(Target)
    /// `block.remove`.
    case unblock(Target)
    /// `contacts.put`.
    case contact(Target, name: String, isFavorite: Bool, breaksThrough: Bool)
    /// `contacts.remove`.
    case removeContact(Target)
    /// `directory.load`, which replaces the whole directory; nil: its title stays as it is.
    case loadDirectory(String, title: String? = nil, blocking: [Int64], labels: [Label])
    /// `directory.load` with `cancel`, by a device that cannot load; nil: without a reason.
    case cancelDirectoryLoad(String, message: String?)
    /// `directory.reload`.
    case reloadDirectory(String)
    /// `directory.setEnabled`.
    case setDirectoryEnabled(String, Bool)

    /// The label that a directory gives a number.
    public struct Label: Hashable, Sendable {
        /// The country code and the digits.
        public var number: Int64
        /// The displayed text.
        public var label: String

        /// Creates a label from its parts.
        public init(number: Int64, label: String) {
            self.number = number
            self.label = label
        }
    }
}

/// A change of a device's connection.
public enum ConnectionAction: Hashable, Sendable {
    /// The socket is closed without a WebSocket closing handshake.
    case drops
    /// The device connects again and resumes its session.
    case resumes
    /// `session.close`.
    case leaves
    /// The device signs in with a new session.
    case signsIn
    /// The device stops reading from its socket.
    case freezes
    /// The device reads from its socket again.
    case thaws
    /// Messages are delayed by this duration, both ways.
    case isDelayed(by: Duration)
    /// The rate is limited to this many bits per second, both ways; nil: no limit.
    case isThrottled(toBitsPerSecond: Int?)
}

/// A change of the hub's process.
public enum HubProcessAction: Hashable, Sendable {
    /// SIGKILL.
    case isKilled
    /// The hub starts with its stored data.
    case starts
    /// The hub stops in good order, and starts.
    case restarts
    /// The hub accepts no new calls.
    case drains
}
