import HubClient
import HubEngine
import HubWire

/// One device of a run: what it says, is told and hears; without I/O.
///
/// It does what the scenario says and no more: it does not come back by itself, and what it is told it takes as told.
final class PhoneSession {
    /// How its connection is.
    enum Line: Hashable {
        /// There is none.
        case none
        /// It is being made, or the hub has not answered to `session.open`.
        case opening
        /// The session goes on over it.
        case open
        /// It is gone, the session may go on.
        case lost
    }

    /// An action that the device was told to perform.
    struct Performance {
        var action: Action
        /// Whether the device has to answer for it, and has not yet.
        var isOpen: Bool
    }

    let who: Who
    let party: Party
    let account: String
    var record: DeviceRecord
    var line = Line.none
    /// The connection's number, as the stage has it.
    var lineNumber: Int?
    private(set) var opened: SessionOpened?
    private(set) var lastSeq: UInt64 = 0
    private(set) var calls: [CallUUID: CallSnapshot] = [:]
    /// The calls in the order in which they came.
    private(set) var callOrder: [CallUUID] = []
    private(set) var observed: [CallUUID: ObservedCall] = [:]
    private(set) var audio: AudioSession?
    /// Of the last audio session, which may be over.
    private var lastSSRC: UInt32?
    private(set) var performances: [Performance] = []
    private(set) var performed: Set<ActionUUID> = []
    private(set) var transactions: [TransactionUUID] = []
    private(set) var told: [WireNotification] = []
    private(set) var replies: [Int: Result<ReplyPayload, WireError>] = [:]
    private var lastRequest = 0
    /// Whether it fulfils all that comes, though it is manual.
    var fulfillsEverything = false
    var microphone = Microphone()
    private var sender: AudioSender
    /// Whether it was ever signed in, in the story.
    var wasThere = false
    /// Whether it has ever sent sound.
    private(set) var hasSpoken = false
    let ear: Ear
    var heard: HeardVoices
    /// Why the run has failed; nil: it has not, as far as this device knows.
    private(set) var breach: Breach?

    /// A rule that was broken.
    struct Breach {
        var at: Duration
        var expected: String
        var came: String
    }

    /// A device that is not signed in.
    ///
    /// - Parameters:
    ///   - who: Its name in the scenario.
    ///   - party: Whose it is.
    ///   - account: The account's name at the hub.
    ///   - start: Where the numbers of its packets begin.
    ///   - ear: What it hears with.
    ///   - heard: What it has heard: nothing.
    init(_ who: Who, party: Party, account: String, start: UInt64, ear: Ear, heard: HeardVoices) {
        (self.who, self.party, self.account, self.ear, self.heard) = (who, party, account, ear, heard)
        record = DeviceRecord(who)
        // It never stops by itself: what a stalled way does to the sound is the hub's to decide.
        sender = AudioSender(mostUnreported: 0x7000, start: start)
    }

    /// The name that it signs in with beside its account's.
    var deviceID: String { who.device ?? party.devices.first.flatMap(\.self) ?? "phone" }

    // MARK: Saying

    /// A request, numbered and as text.
    func text(of request: ClientRequest) -> (number: Int, bytes: [UInt8]) {
        lastRequest += 1
        var bytes: [UInt8] = []
        request.encode(id: RequestID(lastRequest), into: &bytes)
        return (lastRequest, bytes)
    }

    /// What it signs in with.
    ///
    /// - Parameters:
    ///   - resumes: Whether the lost session is taken up; else it is forgotten.
    ///   - now: The time.
    /// - Returns: `session.open`.
    func signIn(resumes: Bool, at now: Duration) -> ClientRequest {
        var open = SessionOpen(account: account)
        open.device = SessionOpen.Device(id: deviceID, name: who.device)
        open.provider = party.configuration
        open.fulfillment = party.isManual ? .manual : .automatic
        open.executesTransactions = party.executesTransactions
        open.permissions = (party.mayCall ? [.call] : []) + (party.observes ? [.observe] : [])
        open.audioDelivery = party.wantsStreams ? .streams : .mixed
        open.client = SessionOpen.Program(name: "callhub scenario")
        if resumes, let opened {
            open.resume = SessionOpen.Resume(session: opened.session, token: opened.resumeToken, seq: lastSeq)
        } else if !resumes {
            closeAudioSpan(at: now)
            forgetSession()
        }
        return .open(open)
    }

    /// Whether there is a session that could be taken up.
    var hasSession: Bool { opened != nil }

    /// A packet of what the microphone hears; nil: none is sent.
    func nextPacket() -> [UInt8]? {
        let opus = microphone.next()
        sender.adopt(ssrc: audio?.ssrc, socket: line == .open ? lineNumber : nil)
        guard let opus, audio != nil, line == .open else {
            sender.pause(samples: 960)
            return nil
        }
        let (outcome, bytes) = sender.packet(opus, durationInSamples: 960)
        if outcome == .sent { hasSpoken = true }
        return outcome == .sent ? bytes : nil
    }

    // MARK: Being told

    /// The connection is gone.
    func loseLine(at now: Duration) {
        line = opened == nil ? .none : .lost
        lineNumber = nil
        // A session that goes on has its audio session still, unless the hub says otherwise when it is taken up.
        if opened == nil { closeAudioSpan(at: now) }
    }

    /// The session is over by the device's own will.
    func leave(at now: Duration) {
        closeAudioSpan(at: now)
        forgetSession()
        (line, lineNumber) = (.none, nil)
    }

    /// The hub's answer to a request; of `session.open` it begins the session.
    func take(_ result: Result<ReplyPayload, WireError>, to number: Int) {
        replies[number] = result
        guard case .success(.opened(let opened)) = result else { return }
        if !opened.resumed { forgetSession() }
        self.opened = opened
        line = .open
        wasThere = true
        for call in opened.calls { update(call, at: nil) }
    }

    /// Something told unasked.
    func take(_ notification: WireNotification, seq: UInt64, at now: Duration) {
        if seq != lastSeq + 1 {
            let what = seq <= lastSeq ? "is told again what it was told already" : "is not told everything"
            breach(
                "\(who) is told each notification once and in order: number \(lastSeq + 1)",
                "number \(seq), \(notification.method): \(who) \(what)",
                at: now
            )
        }
        lastSeq = max(lastSeq, seq)
        told.append(notification)
        switch notification {
        case .callChanged(let call): update(call, at: now)
        case .observed(let call): observed[call.uuid] = call
        case .perform(_, let action, _, _, let isFulfilled): perform(action, isFulfilled)
        case .execute(let transaction, _): transactions.append(transaction)
        case .timedOutPerforming(let action): close(action.uuid)
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
            performances = []
            transactions = []
        default: break
        }
    }

    /// Whom the active audio session is for, by the calls' names.
    func nameAudio(_ calls: [CallName]) {
        if let last = record.audio.indices.last { record.audio[last].calls = calls }
    }

    /// The device has answered for an action.
    func close(_ action: ActionUUID) {
        for index in performances.indices where performances[index].action.uuid == action {
            performances[index].isOpen = false
        }
    }

    /// Actions that the device has to answer for.
    var openActions: [Action] { performances.filter(\.isOpen).map(\.action) }

    /// The device answers for the whole transaction.
    func takeTransaction() -> TransactionUUID? { transactions.isEmpty ? nil : transactions.removeFirst() }

    /// The device has fulfilled an action.
    func noteFulfilled(_ action: ActionUUID) { performed.insert(action) }

    /// A rule was broken; the first one counts.
    func breach(_ expected: String, _ came: String, at now: Duration) {
        if breach == nil { breach = Breach(at: now, expected: expected, came: came) }
    }

    private func perform(_ action: Action, _ isFulfilled: Bool) {
        if isFulfilled { performed.insert(action.uuid) }
        performances.append(Performance(action: action, isOpen: !isFulfilled))
    }

    /// What was sent for the session before must not pass for this one's (docs/protocol.md, Sound).
    private func checkSSRC(of session: AudioSession, at now: Duration) {
        if session.ssrc == lastSSRC {
            breach(
                "\(who)'s audio session has an SSRC of its own",
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

    private func closeAudioSpan(at now: Duration) {
        audio = nil
        if let last = record.audio.indices.last, record.audio[last].end == nil { record.audio[last].end = now }
    }

    private func forgetSession() {
        (opened, lastSeq, audio, lastSSRC) = (nil, 0, nil, nil)
        (calls, callOrder, observed, performances, transactions) = ([:], [], [:], [], [])
    }
}
