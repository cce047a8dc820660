import HubAccountData
import HubClient
import HubEngine
import HubWire

/// A simulated device of a run: its protocol state and its sound, without I/O.
///
/// It does only what the scenario requires: it does not reconnect by itself, and it trusts every notification.
final class SimulatedDevice {
    /// The state of its connection.
    enum ConnectionState: Hashable {
        /// There is no connection.
        case none
        /// The connection is being established, or the hub has not answered `session.open`.
        case opening
        /// The session is open on this connection.
        case open
        /// The connection is lost; the session may be resumed.
        case lost
    }

    /// An action that the hub has asked the device to perform.
    struct RequestedAction {
        var action: Action
        /// Indicates that the device must still fulfill or fail the action.
        var isOpen: Bool
    }

    let deviceReference: DeviceReference
    let party: Party
    let account: String
    /// The app whose device it is, and whose connection is observed; nil: the run simulates the device.
    let app: (any AppPhone)?
    var record: DeviceRecord
    var connection = ConnectionState.none
    /// The number of the connection in the test environment.
    var connectionNumber: Int?
    private(set) var opened: SessionOpenResult?
    private(set) var lastSeq: UInt64 = 0
    private(set) var calls: [CallUUID: CallSnapshot] = [:]
    /// The calls in the order of their first notification.
    private(set) var callOrder: [CallUUID] = []
    private(set) var observed: [CallUUID: ObservedCall] = [:]
    /// The handles to whose presence it has subscribed.
    var watched: [Handle] = []
    /// The people that it was told of, by the handle.
    private(set) var people: [Handle: Person] = [:]
    private(set) var audio: AudioSession?
    /// The SSRC of the last audio session, which may be over.
    private var lastSSRC: UInt32?
    private(set) var requestedActions: [RequestedAction] = []
    private(set) var performed: Set<ActionUUID> = []
    /// The actions that the device has failed, or did not answer in time.
    private(set) var unperformed: [ActionUUID: String] = [:]
    private(set) var transactions: [TransactionUUID] = []
    private(set) var notifications: [WireNotification] = []
    private(set) var replies: [Int: Result<ReplyPayload, WireError>] = [:]
    /// The number of the run's last request over the device's connection; an app counts its own from 1 on.
    private var lastRequest: Int
    /// Indicates that the hub offers its transactions as a whole first.
    var isOfferedTransactions: Bool
    /// Indicates that a manual device fulfills all actions for now.
    var fulfillsEverything = false
    var microphone = Microphone()
    private var sender: AudioSender
    /// Indicates that the device was signed in at any time during the steps.
    var wasSignedIn = false
    /// Indicates that the device has sent sound at any time.
    private(set) var hasSentAudio = false
    let toneDetector: ToneDetector
    var receivedVoices: ReceivedVoices
    /// The first violation of a rule that this device detected; nil: there is none.
    private(set) var violation: RuleViolation?

    /// A violation of a rule.
    struct RuleViolation {
        var at: Duration
        var expected: String
        var actual: String
    }

    /// Creates a device that is not signed in.
    ///
    /// - Parameters:
    ///   - deviceReference: The device's name in the scenario.
    ///   - party: The party that owns the device.
    ///   - account: The account's name at the hub.
    ///   - app: The app whose device it is; nil: the run simulates it.
    ///   - start: A random number that determines the first sequence number and timestamp of its RTP packets.
    ///   - toneDetector: The detector of voices in received packets.
    ///   - receivedVoices: The empty record of received voices.
    init(
        _ deviceReference: DeviceReference,
        party: Party,
        account: String,
        app: (any AppPhone)? = nil,
        start: UInt64,
        toneDetector: ToneDetector,
        receivedVoices: ReceivedVoices
    ) {
        (self.deviceReference, self.party, self.account, self.app) = (deviceReference, party, account, app)
        isOfferedTransactions = party.executesTransactions
        (self.toneDetector, self.receivedVoices) = (toneDetector, receivedVoices)
        lastRequest = app == nil ? 0 : 1_000_000
        record = DeviceRecord(deviceReference)
        // The sender never stops by itself: the hub decides what happens to the sound on a stalled connection.
        sender = AudioSender(maximumUnreported: 0x7000, start: start)
    }

    /// The device ID with which it signs in, beside the account's name.
    var deviceID: String { deviceReference.device ?? party.devices.first.flatMap(\.self) ?? "phone" }

    /// The name of the device that it operates; nil: it is a phone.
    var operatedDevice: String? { deviceReference.device.flatMap { party.operated[$0] } }

    // MARK: Sending

    /// Encodes a request with the next number.
    func text(of request: ClientRequest) -> (number: Int, bytes: [UInt8]) {
        lastRequest += 1
        var bytes: [UInt8] = []
        request.encode(id: RequestID(lastRequest), into: &bytes)
        return (lastRequest, bytes)
    }

    /// Returns the request that signs in.
    ///
    /// - Parameters:
    ///   - resumes: True to resume the lost session; false to discard it and open a new one.
    ///   - now: The time.
    /// - Returns: A `session.open` request.
    func signIn(resumes: Bool, at now: Duration) -> ClientRequest {
        var open = SessionOpenRequest(account: account)
        let machine = party.isOneMachine ? "machine of \(account)" : nil
        open.device = SessionOpenRequest.Device(id: deviceID, name: deviceReference.device, focus: machine)
        open.provider = party.configuration
        open.fulfillment = party.isManual ? .manual : .automatic
        open.executesTransactions = party.executesTransactions
        open.permissions = (party.mayCall ? [.call] : []) + (party.observes ? [.observe] : [])
        if let operatedDevice { (open.permissions, open.operates) = ([.operate], operatedDevice) }
        // Its audio is judged by party, so that it takes streams where others take a mix.
        open.audioDelivery = .streams
        open.client = SessionOpenRequest.Program(name: "callhub scenario")
        if resumes, let opened {
            open.resume = SessionOpenRequest.Resume(session: opened.session, token: opened.resumeToken, seq: lastSeq)
        } else if !resumes {
            isOfferedTransactions = party.executesTransactions
            closeAudioSpan(at: now)
            clearSession()
        }
        return .open(open)
    }

    /// Indicates that there is a session that could be resumed.
    var hasSession: Bool { opened != nil }

    /// Returns the next packet of the microphone; nil: none is sent.
    func nextPacket() -> [UInt8]? {
        let opus = microphone.next()
        sender.adopt(ssrc: audio?.ssrc, socket: connection == .open ? connectionNumber : nil)
        guard let opus, audio != nil, connection == .open else {
            sender.pause(samples: 960)
            return nil
        }
        let (outcome, bytes) = sender.packet(opus, durationInSamples: 960)
        if outcome == .sent { hasSentAudio = true }
        return outcome == .sent ? bytes : nil
    }

    // MARK: Receiving

    /// Updates the state after the loss of the connection.
    func markDisconnected(at now: Duration) {
        connection = opened == nil ? .none : .lost
        connectionNumber = nil
        // A continuing session keeps its audio session, unless the hub ends it on resumption.
        if opened == nil { closeAudioSpan(at: now) }
    }

    /// Updates the state after the device has closed its session.
    func leave(at now: Duration) {
        closeAudioSpan(at: now)
        clearSession()
        (connection, connectionNumber) = (.none, nil)
    }

    /// Processes the hub's reply to a request; a successful reply to `session.open` begins the session.
    func take(_ result: Result<ReplyPayload, WireError>, to number: Int) {
        replies[number] = result
        if case .success(.people(let people, _)) = result { update(people) }
        guard case .success(.opened(let opened)) = result else { return }
        if !opened.resumed { clearSession() }
        self.opened = opened
        connection = .open
        wasSignedIn = true
        for call in opened.calls { update(call, at: nil) }
    }

    /// Processes a notification.
    func take(_ notification: WireNotification, seq: UInt64, at now: Duration) {
        if seq != lastSeq + 1 {
            let what = seq <= lastSeq ? "received a duplicate notification" : "missed a notification"
            violation(
                "\(deviceReference) receives each notification once and in order: number \(lastSeq + 1)",
                "number \(seq), \(notification.method): \(deviceReference) \(what)",
                at: now
            )
        }
        lastSeq = max(lastSeq, seq)
        notifications.append(notification)
        switch notification {
        case .callChanged(let call): update(call, at: now)
        case .observed(let call): observed[call.uuid] = call
        case .peopleChanged(let people): update(people)
        case .perform(_, let action, _, _, let isFulfilled): perform(action, isFulfilled)
        case .execute(let transaction, _): transactions.append(transaction)
        case .timedOutPerforming(let action):
            close(action.uuid)
            unperformed[action.uuid] = "did not answer in time"
        case .didActivateAudioSession(let session):
            checkSSRC(of: session, at: now)
            audio = session
            record.audio.append(AudioSpan(begin: now, calls: []))
        case .didDeactivateAudioSession(let session, _):
            if audio?.id == session { closeAudioSpan(at: now) }
        case .didReset:
            closeAudioSpan(at: now)
            calls = [:]
            callOrder = []
            requestedActions = []
            transactions = []
        default: break
        }
    }

    /// Sets the names of the calls of the active audio session.
    func setAudioSessionCalls(_ calls: [CallName]) {
        if let last = record.audio.indices.last { record.audio[last].calls = calls }
    }

    /// Notes that the device has fulfilled or failed an action.
    func close(_ action: ActionUUID) {
        for index in requestedActions.indices where requestedActions[index].action.uuid == action {
            requestedActions[index].isOpen = false
        }
    }

    /// The actions that the device must still fulfill or fail.
    var openActions: [Action] { requestedActions.filter(\.isOpen).map(\.action) }

    /// Removes and returns the oldest transaction that the device must answer as a whole; nil: there is none.
    func takeTransaction() -> TransactionUUID? { transactions.isEmpty ? nil : transactions.removeFirst() }

    /// Notes that the device has fulfilled an action.
    func noteFulfilled(_ action: ActionUUID) { performed.insert(action) }

    /// Notes that the device has failed an action.
    func noteFailed(_ action: ActionUUID) { unperformed[action] = "failed" }

    /// Records a violation of a rule; only the first one is kept.
    func violation(_ expected: String, _ actual: String, at now: Duration) {
        if violation == nil { violation = RuleViolation(at: now, expected: expected, actual: actual) }
    }

    private func perform(_ action: Action, _ isFulfilled: Bool) {
        if isFulfilled { performed.insert(action.uuid) }
        requestedActions.append(RequestedAction(action: action, isOpen: !isFulfilled))
    }

    /// Checks that packets of the previous session cannot be mistaken for this one's (docs/protocol.md, Audio).
    private func checkSSRC(of session: AudioSession, at now: Duration) {
        if session.ssrc == lastSSRC {
            violation(
                "\(deviceReference)'s audio session has an SSRC of its own",
                "it has the SSRC of the audio session before",
                at: now
            )
        }
        lastSSRC = session.ssrc
    }

    private func update(_ call: CallSnapshot, at now: Duration?) {
        if calls[call.uuid] == nil { callOrder.append(call.uuid) }
        calls[call.uuid] = call
    }

    private func update(_ people: [Person]) {
        for person in people { self.people[person.handle] = person }
    }

    private func closeAudioSpan(at now: Duration) {
        audio = nil
        if let last = record.audio.indices.last, record.audio[last].end == nil { record.audio[last].end = now }
    }

    private func clearSession() {
        (opened, lastSeq, audio, lastSSRC) = (nil, 0, nil, nil)
        (calls, callOrder, observed, requestedActions, transactions) = ([:], [], [:], [], [])
        (watched, people) = ([], [:])
    }
}
