import HubEngine
import HubWire

/// Makes steps and expectations of what devices were told, an event at a time.
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

    /// A conversation that has a name in the story.
    struct StoryCall {
        var name: CallName
        var caller: Person
        var callee: Person
        var isExternal = false
        /// Whether it is known to have been answered, so that an outsider does not answer it again.
        var isAnswered = false
        /// Why it came to nothing, for whom nobody was there.
        var cause: EndCause?
        /// Whether nothing that a party does ends it so: nothing is expected of its end.
        var isEndedByHand = false
    }

    /// A line, and when it happened.
    struct Line {
        var deed: Deed
        var at: Instant
    }

    let style: Recording.Style
    var cast: StoryCast
    var calls: [StoryCall] = []
    var places: [End: Int] = [:]
    var conversations: [String: Int] = [:]
    /// Each device's calls as they are, in the order in which they came.
    var views: [View: CallSnapshot] = [:]
    var order: [View] = []
    /// As they were when it was last said what is expected.
    var said: [View: CallSnapshot] = [:]
    /// What has changed since.
    var touched: [View] = []
    /// Whom each device hears.
    var sources: [Int: [AudioSource]] = [:]
    /// Whom it was last said to hear.
    var saidVoices: [Int: [Voice]] = [:]
    /// What was keyed to each device since the last step.
    var keyed: [(slot: Int, digits: String, waits: Bool)] = []
    /// The digits that each device has been told to play, and has not yet.
    var keys: [View: Action] = [:]
    var lines: [Line] = []
    /// The transactions of users.
    var transactions: [TransactionUUID: Asked] = [:]
    /// Those that were offered whole.
    var offered: Set<TransactionUUID> = []
    var lastStep: Instant?
    var lastChange: Instant?
    var lastDigits: Instant?
    var notes: [String] = []
    /// Calls that were there before anybody looked.
    var unknown: Set<End> = []
    /// What the hub has to be set to, as the recorded one was.
    var needsRingTimeout = false
    var needsGrace = false

    /// A transaction of a user's.
    struct Asked {
        var line: Int
        var slot: Int
        var actions: [Action]
        /// The calls of the device when it began.
        var calls: [CallSnapshot]
    }

    /// A writer of an empty story.
    init(_ accounts: [Recording.Account], _ style: Recording.Style) {
        self.style = style
        cast = StoryCast(accounts)
    }

    // MARK: Events

    /// Takes what one event at the hub has caused.
    mutating func take(_ group: [Recording.Entry]) {
        let told = group.map { (slot: cast.slot(of: $0), news: $0.news) }
        for (slot, news) in told { takeSession(news, slot) }
        let late = takeKeys(told)
        for (slot, news) in told { takeAction(news, slot) }
        // Twice: the callee's end may have come first.
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
        // What has come of it belongs behind the step that has caused it.
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

    /// A call is as it was told from now on, and something may be expected of it.
    private mutating func apply(_ change: (slot: Int, call: CallSnapshot, at: Instant)) {
        let view = View(slot: change.slot, uuid: change.call.uuid)
        guard place(of: view) != nil else { return }
        if views[view] == nil { order.append(view) }
        views[view] = change.call
        if !touched.contains(view) { touched.append(view) }
    }

    /// Remembers which ends belong to one conversation.
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

    /// The call that a device's view belongs to.
    func place(of view: View) -> Int? {
        places[End(account: cast.slots[view.slot].account, uuid: view.uuid)]
    }

    func name(of uuid: CallUUID, _ slot: Int) -> CallName? {
        place(of: View(slot: slot, uuid: uuid)).map { calls[$0].name }
    }

    /// A device's calls that live, in the order in which they came.
    func liveCalls(of slot: Int) -> [CallSnapshot] {
        order.filter { $0.slot == slot }.compactMap { views[$0] }.filter { !$0.hasEnded }
    }

    // MARK: Lines

    /// Somebody does something: what is expected of what went before stands in front of it.
    mutating func step(_ deed: Deed, at instant: Instant) {
        flush()
        if style.hasWaits, let last = [lastStep, lastChange, lastDigits].compactMap(\.self).max(), !lines.isEmpty {
            let halves = Int64(instant.since(last) / .milliseconds(500))
            if halves >= 2 { lines.append(Line(deed: .wait(.milliseconds(500) * Int(halves)), at: instant)) }
        }
        lines.append(Line(deed: deed, at: instant))
        lastStep = instant
    }

    /// Says once what could not be put in words.
    mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Begins a conversation, with the next name.
    mutating func begin(_ caller: Person, _ callee: Person, isExternal: Bool, _ end: End) {
        let name = CallName(Names.call(number: calls.count))
        calls.append(StoryCall(name: name, caller: caller, callee: callee, isExternal: isExternal))
        places[end] = calls.count - 1
    }
}

extension Recording.Entry {
    /// Whether a call is another one after it.
    fileprivate var isOfACall: Bool {
        if case .told(.callChanged) = news.content { true } else { false }
    }
}
