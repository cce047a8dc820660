public import HubEngine

/// A line of a scenario, with what is indented under it.
public struct Step: Hashable, Sendable {
    /// The line's number in the file, from 1.
    public var line: Int
    /// The line as it was written, variables filled in.
    public var text: String
    /// What is to happen.
    public var deed: Deed

    /// A step of its parts.
    public init(line: Int, text: String, deed: Deed) {
        self.line = line
        self.text = text
        self.deed = deed
    }
}

/// What a line has happen.
public indirect enum Deed: Hashable, Sendable {
    /// Somebody asks the hub for a transaction; `refusal` is the name of the error that it has to be refused with.
    case transaction(Who, [SpokenAction], refusal: String?)
    /// Somebody takes what the hub offers for a ringing call.
    case choose(Who, Choice.Name, CallName)
    /// Somebody holds the active call and takes up a held one, in one transaction.
    case swap(Who, CallName?, CallName?)
    /// Somebody answers for an action that he was told to perform.
    case settle(Who, Settling, ActionKindName, CallName)
    /// From now on somebody fulfils all that comes, or nothing.
    case fulfillsEverything(Who, Bool)
    /// The answer to `provider.execute`.
    case executed(Who, handled: Bool)
    /// Somebody tells the hub what happened outside it.
    case report(Who, Report, refusal: String?)
    /// Somebody has the hub remember something.
    case remember(Who, Remembering, refusal: String?)
    /// `provider.configure`: the new configuration.
    case configure(Who, ProviderConfiguration, refusal: String?)
    /// `provider.invalidate`.
    case invalidate(Who)
    /// Something happens to somebody's connection; only what asks the hub, resuming and signing in, can be refused.
    case connection(Who, ConnectionDeed, refusal: String?)
    /// A request that may be accepted or refused, for races.
    case attempt(Deed)
    /// What goes into somebody's microphone from now on.
    case mouth(Who, Mouth)
    /// Something happens to the hub.
    case hub(HubDeed)
    /// Time passes.
    case wait(Duration)
    /// The hub's clock is further all of a sudden.
    case clockJumps(Duration)
    /// Something has to be so; nil: within the scenario's patience.
    case expect(Assertion, within: Duration?)
    /// All are on their way before the first is answered.
    case together([Step])
    /// One after the other, by chance.
    case inAnyOrder([Step])
    /// Each at a moment of its own.
    case atRandom(within: Duration, [Step])

    /// Who does it; nil: nobody alone.
    var who: Who? {
        switch self {
        case .transaction(let who, _, _), .choose(let who, _, _), .swap(let who, _, _), .settle(let who, _, _, _),
            .fulfillsEverything(let who, _), .executed(let who, _), .report(let who, _, _),
            .remember(let who, _, _), .configure(let who, _, _), .invalidate(let who), .connection(let who, _, _),
            .mouth(let who, _):
            who
        case .attempt(let deed): deed.who
        case .hub, .wait, .clockJumps, .expect, .together, .inAnyOrder, .atRandom: nil
        }
    }

    /// Whether no hub that others use can be asked for this.
    var changesTheHub: Bool {
        switch self {
        case .hub, .clockJumps: true
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.contains { $0.deed.changesTheHub }
        default: false
        }
    }
}

/// The name of a call in a scenario: of a conversation, and of each party's call in it.
public struct CallName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// Begins with a capital.
    public var text: String

    /// A name.
    public init(_ text: String) {
        self.text = text
    }

    /// The name that stands in a program.
    public init(stringLiteral text: String) {
        self.text = text
    }

    /// The name.
    public var description: String { text }
}

/// An action as a line says it.
public indirect enum SpokenAction: Hashable, Sendable {
    /// Starts a call, which has the name from now on.
    case call(Target, CallName, isVideo: Bool)
    /// The plain action.
    case answer(CallName)
    /// Ends a call, or declines it.
    case end(CallName)
    /// Ends a ringing call on this device alone.
    case endHere(CallName)
    /// Holds, or un-holds.
    case setHeld(CallName, Bool)
    /// Mutes, or un-mutes.
    case setMuted(CallName, Bool)
    /// Puts a call into another one's group; nil: takes it out of its own.
    case setGroup(CallName, with: CallName?)
    /// Keys digits.
    case key(String, CallName)
    /// Takes a call over from another device of the account.
    case pull(CallName)
    /// Has a call translated, or no more.
    case setTranslating(CallName, Bool, from: String?, to: String?)
}

/// Who is called.
public enum Target: Hashable, Sendable {
    /// Somebody of the scenario.
    case party(String)
    /// Any handle: built-in ones, strangers.
    case handle(Handle)
}

/// What an action is called in a line that answers for it; `hold` and `unhold` are two.
public enum ActionKindName: String, Hashable, Sendable, CaseIterable {
    case start, answer, end, hold, unhold, mute, unmute, group, ungroup, key, pull, translate
}

/// What somebody does with an action that he was told to perform.
public enum Settling: Hashable, Sendable {
    /// `action.fulfill`.
    case fulfills
    /// `action.fail`.
    case fails
    /// Nothing, but the action must have come.
    case ignores
}

/// What somebody reports to the hub.
public enum Report: Hashable, Sendable {
    /// `provider.reportNewIncomingCall`.
    case incoming(Target, CallName, CallUpdate)
    /// `provider.reportCallEnded`.
    case ended(CallName, EndReason)
    /// `provider.reportOutgoingCall`: startedConnecting.
    case connecting(CallName)
    /// `provider.reportOutgoingCall`: connected.
    case connected(CallName)
    /// `provider.reportCall`.
    case update(CallName, CallUpdate)
}

/// What somebody has the hub remember.
public enum Remembering: Hashable, Sendable {
    /// `settings.set` doNotDisturb, of the account or of this device alone.
    case doNotDisturb(Bool, isHere: Bool)
    /// `settings.set` displayName.
    case displayName(String)
    /// `block.add`; a number with `*` at its end stands for all that begin so.
    case block(Target)
    /// `block.remove`.
    case unblock(Target)
    /// `contacts.put`.
    case contact(Target, name: String, isFavorite: Bool, breaksThrough: Bool)
    /// `contacts.remove`.
    case noContact(Target)
    /// `directory.load`, in full.
    case loadDirectory(String, blocking: [Int64], labels: [Label])
    /// `directory.setEnabled`.
    case setDirectoryEnabled(String, Bool)

    /// A number and what is shown for it.
    public struct Label: Hashable, Sendable {
        /// Country code and digits.
        public var number: Int64
        /// What is shown.
        public var label: String

        /// A label of its parts.
        public init(number: Int64, label: String) {
            self.number = number
            self.label = label
        }
    }
}

/// What happens to a connection.
public enum ConnectionDeed: Hashable, Sendable {
    /// The socket is gone without a word.
    case drops
    /// Connects anew and takes the session up.
    case resumes
    /// `session.close`.
    case leaves
    /// A new session.
    case signsIn
    /// Reads nothing more.
    case freezes
    /// Reads again.
    case thaws
    /// Everything takes longer, both ways.
    case isDelayed(by: Duration)
    /// So many bits a second both ways; nil: all that there are.
    case isThrottled(toBitsPerSecond: Int?)
}

/// What happens to the hub.
public enum HubDeed: Hashable, Sendable {
    /// SIGKILL.
    case isKilled
    /// Starts with what it had stored.
    case starts
    /// Stops in order, and starts.
    case restarts
    /// Takes no new calls.
    case drains
}
