import HubEngine
import HubWire

/// A generator of steps and expectations from the notifications of recorded devices, one event at a time.
struct ScenarioGenerator {
    /// A call on one device.
    struct DeviceCall: Hashable {
        var deviceIndex: Int
        var uuid: CallUUID
    }

    /// One end of a call.
    struct AccountCall: Hashable {
        var account: String
        var uuid: CallUUID
    }

    /// A conversation that has a name in the scenario.
    struct GeneratedCall {
        var name: CallName
        var caller: Participant
        var callee: Participant
        var isExternal = false
        /// Indicates that it was answered, so that an unrecorded party does not answer it again.
        var isAnswered = false
        /// The cause of the call's end; nil: unknown.
        var cause: EndCause?
        /// Indicates that no step of a party can reproduce its end; the end is not expected then.
        var needsExplicitEnd = false
    }

    /// A step of the scenario, and its time.
    struct Line {
        var stepAction: StepAction
        var at: Instant
    }

    let style: GeneratedScenario.Style
    var participants: GeneratorParticipants
    var calls: [GeneratedCall] = []
    var positions: [AccountCall: Int] = [:]
    var conversations: [String: Int] = [:]
    /// The current state of each device's calls.
    var callStates: [DeviceCall: CallSnapshot] = [:]
    var order: [DeviceCall] = []
    /// The state of the calls at the last expectation.
    var lastExpected: [DeviceCall: CallSnapshot] = [:]
    /// The calls that have changed since.
    var changedCalls: [DeviceCall] = []
    /// The audio sources of each device.
    var sources: [Int: [AudioSource]] = [:]
    /// The last expected voices of each device.
    var lastExpectedVoices: [Int: [Voice]] = [:]
    /// The digits that each device has received since the last step.
    var receivedDigits: [(deviceIndex: Int, digits: String, waits: Bool)] = []
    /// The digits that each device is asked to play and has not played yet.
    var pendingDigits: [DeviceCall: Action] = [:]
    var lines: [Line] = []
    /// The users' transactions.
    var transactions: [TransactionUUID: UserTransaction] = [:]
    /// The transactions that were offered as a whole.
    var offered: Set<TransactionUUID> = []
    var lastStep: Instant?
    var lastChange: Instant?
    var lastDigits: Instant?
    var notes: [String] = []
    /// Calls that predate the recording.
    var unknown: Set<AccountCall> = []
    /// Indicates that the scenario must set the recorded hub's ring timeout.
    var needsRingTimeout = false
    var needsGrace = false

    /// A transaction of a user.
    struct UserTransaction {
        var line: Int
        var deviceIndex: Int
        var actions: [Action]
        /// The device's calls at the beginning of the transaction.
        var calls: [CallSnapshot]
    }

    /// Creates a writer of an empty scenario.
    init(_ accounts: [GeneratedScenario.Account], _ style: GeneratedScenario.Style) {
        self.style = style
        participants = GeneratorParticipants(accounts)
    }

    // MARK: Events

    /// Processes the effects of one event at the hub.
    mutating func take(_ group: [GeneratedScenario.Entry]) {
        let notified = group.map { (deviceIndex: participants.deviceIndex(of: $0), recordedEvent: $0.recordedEvent) }
        for (deviceIndex, recordedEvent) in notified { handleSessionEvent(recordedEvent, deviceIndex) }
        let late = handleDigits(notified)
        for (deviceIndex, recordedEvent) in notified { handleUserAction(recordedEvent, deviceIndex) }
        // Two passes, since the callee's end may precede the caller's.
        for _ in 0..<2 { for (deviceIndex, recordedEvent) in notified { link(recordedEvent, deviceIndex) } }
        var unrecordedParties = UnrecordedParties()
        for (index, (deviceIndex, recordedEvent)) in notified.enumerated() {
            guard case .notified(let notification) = recordedEvent.content else { continue }
            switch notification {
            case .callChanged(let call): change(call, deviceIndex, at: recordedEvent.at, &unrecordedParties)
            case .dtmf(let uuid, let digits, let type):
                if !late.contains(index) { receiveDigits(digits, type, on: uuid, deviceIndex, at: recordedEvent.at) }
            case .timedOutPerforming:
                note("an action that its app did not fulfil in time; the app is an automatic one here")
            default: break
            }
        }
        perform(unrecordedParties)
        addExplicitEnds(notified)
        // The effects follow the step that caused them.
        for (deviceIndex, recordedEvent) in notified {
            if case .notified(.audioSources(let audioSources)) = recordedEvent.content {
                sources[deviceIndex] = audioSources
            }
        }
        for change in changes(in: notified) { apply(change) }
        if group.contains(where: \.changesCall) { lastChange = group.last?.recordedEvent.at }
    }

    private func changes(
        in notified: [(deviceIndex: Int, recordedEvent: RecordedEvent)]
    ) -> [(deviceIndex: Int, call: CallSnapshot, at: Instant)] {
        notified.compactMap { deviceIndex, recordedEvent in
            guard case .notified(.callChanged(let call)) = recordedEvent.content else { return nil }
            return (deviceIndex, call, recordedEvent.at)
        }
    }

    /// Updates a call's state, and marks it for expectations.
    private mutating func apply(_ change: (deviceIndex: Int, call: CallSnapshot, at: Instant)) {
        let deviceCall = DeviceCall(deviceIndex: change.deviceIndex, uuid: change.call.uuid)
        guard position(of: deviceCall) != nil else { return }
        if callStates[deviceCall] == nil { order.append(deviceCall) }
        callStates[deviceCall] = change.call
        if !changedCalls.contains(deviceCall) { changedCalls.append(deviceCall) }
    }

    /// Registers the ends of one conversation.
    private mutating func link(_ recordedEvent: RecordedEvent, _ deviceIndex: Int) {
        guard case .notified(.callChanged(let call)) = recordedEvent.content,
            let conversation = recordedEvent.conversation
        else {
            return
        }
        let end = AccountCall(account: participants.devices[deviceIndex].account, uuid: call.uuid)
        if let position = positions[end] {
            conversations[conversation] = position
        } else if let position = conversations[conversation] {
            positions[end] = position
            calls[position].callee = .account(end.account)
        }
    }

    /// Returns the index of the conversation of a device's call; nil: it is unknown.
    func position(of deviceCall: DeviceCall) -> Int? {
        positions[AccountCall(account: participants.devices[deviceCall.deviceIndex].account, uuid: deviceCall.uuid)]
    }

    func name(of uuid: CallUUID, _ deviceIndex: Int) -> CallName? {
        position(of: DeviceCall(deviceIndex: deviceIndex, uuid: uuid)).map { calls[$0].name }
    }

    /// Returns a device's calls that have not ended, in order of arrival.
    func liveCalls(of deviceIndex: Int) -> [CallSnapshot] {
        order.filter { $0.deviceIndex == deviceIndex }.compactMap { callStates[$0] }.filter { !$0.hasEnded }
    }

    // MARK: Lines

    /// Adds a step, preceded by the expectations of the step before and a wait.
    mutating func step(_ stepAction: StepAction, at instant: Instant) {
        addExpectations()
        if style.hasWaits, let last = [lastStep, lastChange, lastDigits].compactMap(\.self).max(), !lines.isEmpty {
            let halves = Int64(instant.since(last) / .milliseconds(500))
            if halves >= 2 { lines.append(Line(stepAction: .wait(.milliseconds(500) * Int(halves)), at: instant)) }
        }
        lines.append(Line(stepAction: stepAction, at: instant))
        lastStep = instant
    }

    /// Adds a note on an event that the scenario cannot express, once.
    mutating func note(_ sentence: String) {
        if !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Adds a conversation with the next free name.
    mutating func begin(_ caller: Participant, _ callee: Participant, isExternal: Bool, _ end: AccountCall) {
        let name = CallName(NameSyntax.call(number: calls.count))
        calls.append(GeneratedCall(name: name, caller: caller, callee: callee, isExternal: isExternal))
        positions[end] = calls.count - 1
    }
}

extension GeneratedScenario.Entry {
    /// Indicates that the entry changes a call.
    fileprivate var changesCall: Bool {
        if case .notified(.callChanged) = recordedEvent.content { true } else { false }
    }
}
