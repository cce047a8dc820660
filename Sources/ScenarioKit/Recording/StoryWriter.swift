import HubEngine
import HubWire

/// A generator of steps and expectations from the notifications of recorded devices, one event at a time.
struct StoryWriter {
    /// A call on one device.
    struct View: Hashable {
        var slot: Int
        var uuid: CallUUID
    }

    /// One end of a call.
    struct End: Hashable {
        var account: String
        var uuid: CallUUID
    }

    /// A conversation that has a name in the scenario.
    struct StoryCall {
        var name: CallName
        var caller: Person
        var callee: Person
        var isExternal = false
        /// Indicates that it was answered, so that an unrecorded party does not answer it again.
        var isAnswered = false
        /// The cause of the call's end; nil: unknown.
        var cause: EndCause?
        /// Indicates that no step of a party can reproduce its end; the end is not expected then.
        var isEndedByHand = false
    }

    /// A step of the scenario, and its time.
    struct Line {
        var deed: Deed
        var at: Instant
    }

    let style: Recording.Style
    var cast: StoryCast
    var calls: [StoryCall] = []
    var places: [End: Int] = [:]
    var conversations: [String: Int] = [:]
    /// The present state of each device's calls.
    var views: [View: CallSnapshot] = [:]
    var order: [View] = []
    /// The state of the calls at the last expectation.
    var said: [View: CallSnapshot] = [:]
    /// The calls that have changed since.
    var touched: [View] = []
    /// The audio sources of each device.
    var sources: [Int: [AudioSource]] = [:]
    /// The last expected voices of each device.
    var saidVoices: [Int: [Voice]] = [:]
    /// The digits that each device has received since the last step.
    var keyed: [(slot: Int, digits: String, waits: Bool)] = []
    /// The digits that each device is asked to play and has not played yet.
    var keys: [View: Action] = [:]
    var lines: [Line] = []
    /// The users' transactions.
    var transactions: [TransactionUUID: Asked] = [:]
    /// The transactions that were offered as a whole.
    var offered: Set<TransactionUUID> = []
    var lastStep: Instant?
    var lastChange: Instant?
    var lastDigits: Instant?
    var notes: [String] = []
    /// Calls that predate the recording.
    var unknown: Set<End> = []
    /// Indicates that the scenario must set the recorded hub's ring timeout.
    var needsRingTimeout = false
    var needsGrace = false

    /// A transaction of a user.
    struct Asked {
        var line: Int
        var slot: Int
        var actions: [Action]
        /// The device's calls at the beginning of the transaction.
        var calls: [CallSnapshot]
    }

    /// Creates a writer of an empty scenario.
    init(_ accounts: [Recording.Account], _ style: Recording.Style) {
        self.style = style
        cast = StoryCast(accounts)
    }

    // MARK: Events

    /// Processes the effects of one event at the hub.
    mutating func take(_ group: [Recording.Entry]) {
        let told = group.map { (slot: cast.slot(of: $0), news: $0.news) }
        for (slot, news) in told { takeSession(news, slot) }
        let late = takeKeys(told)
        for (slot, news) in told { takeAction(news, slot) }
        // Two passes, since the callee's end may precede the caller's.
        for _ in 0..<2 { for (slot, news) in told { link(news, slot) } }
        var outsiders = OutsiderDeeds()
        for (index, (slot, news)) in told.enumerated() {
            guard case .told(let notification) = news.content else { continue }
            switch notification {
            case .callChanged(let call): change(call, slot, at: news.at, &outsiders)
            case .dtmf(let uuid, let digits, let type):
                if !late.contains(index) { hear(digits, type, on: uuid, slot, at: news.at) }
            case .timedOutPerforming:
                note("an action that its app did not fulfil in time; the app is an automatic one here")
            default: break
            }
        }
        perform(outsiders)
        endByHand(told)
        // The effects follow the step that caused them.
        for (slot, news) in told {
            if case .told(.audioSources(let heard)) = news.content { sources[slot] = heard }
        }
        for change in changes(in: told) { apply(change) }
        if group.contains(where: \.isOfACall) { lastChange = group.last?.news.at }
    }

    private func changes(
        in told: [(slot: Int, news: RecordedNews)]
    ) -> [(slot: Int, call: CallSnapshot, at: Instant)] {
        told.compactMap { slot, news in
            guard case .told(.callChanged(let call)) = news.content else { return nil }
            return (slot, call, news.at)
        }
    }

    /// Updates a call's state, and marks it for expectations.
    private mutating func apply(_ change: (slot: Int, call: CallSnapshot, at: Instant)) {
        let view = View(slot: change.slot, uuid: change.call.uuid)
        guard place(of: view) != nil else { return }
        if views[view] == nil { order.append(view) }
        views[view] = change.call
        if !touched.contains(view) { touched.append(view) }
    }

    /// Registers the ends of one conversation.
    private mutating func link(_ news: RecordedNews, _ slot: Int) {
        guard case .told(.callChanged(let call)) = news.content, let conversation = news.conversation else { return }
        let end = End(account: cast.slots[slot].account, uuid: call.uuid)
        if let place = places[end] {
            conversations[conversation] = place
        } else if let place = conversations[conversation] {
            places[end] = place
            calls[place].callee = .account(end.account)
        }
    }

    /// Returns the index of the conversation of a device's call; nil: it is unknown.
    func place(of view: View) -> Int? {
        places[End(account: cast.slots[view.slot].account, uuid: view.uuid)]
    }

    func name(of uuid: CallUUID, _ slot: Int) -> CallName? {
        place(of: View(slot: slot, uuid: uuid)).map { calls[$0].name }
    }

    /// Returns a device's calls that have not ended, in order of arrival.
    func liveCalls(of slot: Int) -> [CallSnapshot] {
        order.filter { $0.slot == slot }.compactMap { views[$0] }.filter { !$0.hasEnded }
    }

    // MARK: Lines

    /// Adds a step, preceded by the expectations of the step before and a wait.
    mutating func step(_ deed: Deed, at instant: Instant) {
        flush()
        if style.hasWaits, let last = [lastStep, lastChange, lastDigits].compactMap(\.self).max(), !lines.isEmpty {
            let halves = Int64(instant.since(last) / .milliseconds(500))
            if halves >= 2 { lines.append(Line(deed: .wait(.milliseconds(500) * Int(halves)), at: instant)) }
        }
        lines.append(Line(deed: deed, at: instant))
        lastStep = instant
    }

    /// Adds a note on an event that the scenario cannot express, once.
    mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Adds a conversation with the next free name.
    mutating func begin(_ caller: Person, _ callee: Person, isExternal: Bool, _ end: End) {
        let name = CallName(Names.call(number: calls.count))
        calls.append(StoryCall(name: name, caller: caller, callee: callee, isExternal: isExternal))
        places[end] = calls.count - 1
    }
}

extension Recording.Entry {
    /// Indicates that the entry changes a call.
    fileprivate var isOfACall: Bool {
        if case .told(.callChanged) = news.content { true } else { false }
    }
}
