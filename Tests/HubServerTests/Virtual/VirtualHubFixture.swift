import HubEngine
import HubServer
import HubSimulator
import HubTestSupport
import HubWire
import Testing

/// A virtual hub and its phones, which receive its messages without delay.
final class VirtualHubFixture {
    let hub: VirtualHub
    /// All output of the hub, in order.
    private(set) var sent: [VirtualHubOutput] = []
    private var phones: [VirtualPhone] = []
    private var lastName: UInt64 = 0

    init(
        seed: UInt64 = 1,
        stored: StoredState = StoredState(),
        services: HubServices = HubServices(),
        _ configure: (inout HubSettings) -> Void = { _ in }
    ) throws {
        var settings = HubSettings()
        settings.log.level = .error
        configure(&settings)
        hub = try VirtualHub(settings, seed: seed, stored: stored, services: services)
    }

    /// Signs a phone in to an account; device nil: the account's name.
    func phone(
        _ account: String,
        on device: String? = nil,
        _ permissions: [Permission] = [.call],
        token: String? = nil,
        reportsDroppedPackets: Bool = false
    ) throws -> VirtualPhone {
        let phone = VirtualPhone(self, account, device ?? "\(account)'s", permissions, token: token)
        phone.reportsDroppedPackets = reportsDroppedPackets
        phones.append(phone)
        try phone.signIn()
        return phone
    }

    /// Advances the virtual clock.
    func advance(by duration: Duration) {
        hub.advance(by: duration)
        deliver()
    }

    /// Delivers the messages that the hub has sent to the phones.
    func deliver() {
        let messages = hub.takeOutput()
        sent += messages
        for message in messages { phones.first { $0.connection == message.connection }?.take(message.content) }
    }

    /// Returns a new call UUID.
    func name() -> CallUUID {
        lastName += 1
        return CallUUID(randomBits: 0, lastName)
    }
}

/// A phone of a virtual hub that records all notifications and packets that it receives.
final class VirtualPhone {
    private unowned let fixture: VirtualHubFixture
    let account: String
    private let device: String
    private let permissions: [Permission]
    private let token: String?
    /// True to ask for notifications of dropped packets.
    var reportsDroppedPackets = false
    private(set) var connection: ConnectionID?
    private(set) var opened: SessionOpenResult?
    private(set) var told: [WireNotification] = []
    private(set) var heard: [[UInt8]] = []
    /// Reports of the hub about this phone's own packets.
    private(set) var reports = 0
    /// The end of the connection; nil while it has not ended.
    private(set) var end: VirtualHubOutput.Content?
    private var replies: [RequestID: Result<ReplyPayload, WireError>] = [:]
    private var lastSeq: UInt64 = 0
    private var lastID = 0
    private var lastPacket = 0

    init(_ fixture: VirtualHubFixture, _ account: String, _ device: String, _ permissions: [Permission], token: String?)
    {
        self.fixture = fixture
        self.token = token
        (self.account, self.device, self.permissions) = (account, device, permissions)
    }

    // MARK: The session

    /// Connects and opens a new session.
    func signIn() throws {
        connect()
        try open()
    }

    /// Connects and resumes the lost session.
    func resume() throws {
        connect()
        let former = try #require(opened)
        try open(.init(session: former.session, token: former.resumeToken, seq: lastSeq))
    }

    private func connect() {
        connection = fixture.hub.connect()
        end = nil
    }

    private func open(_ resume: SessionOpenRequest.Resume? = nil) throws {
        var open = SessionOpenRequest(account: account)
        if resume == nil { open.token = token }
        open.device.id = device
        open.permissions = permissions
        if resume == nil { open.reportsDroppedPackets = reportsDroppedPackets }
        open.resume = resume
        guard case .opened(let opened) = try ask(.open(open)) else { throw Missing("an answer to session.open") }
        self.opened = opened
    }

    /// Breaks its connection.
    func dropConnection() throws {
        fixture.hub.dropConnection(try #require(connection))
        connection = nil
        fixture.deliver()
    }

    // MARK: Texts

    /// Sends a request and returns its answer.
    @discardableResult
    func ask(_ request: ClientRequest) throws -> ReplyPayload {
        let id = try send(request)
        guard let reply = replies.removeValue(forKey: id) else { throw Missing("an answer to \(request.method)") }
        return try reply.get()
    }

    /// Sends a request without waiting for its answer.
    @discardableResult
    func send(_ request: ClientRequest) throws -> RequestID {
        lastID += 1
        let id = RequestID(lastID)
        var bytes: [UInt8] = []
        request.encode(id: id, into: &bytes)
        fixture.hub.receive(text: bytes, from: try #require(connection))
        fixture.deliver()
        return id
    }

    /// Requests actions in one transaction.
    func act(_ actions: (CallUUID, ActionKind)...) throws {
        try ask(.engine(.transaction(actions.map { ActionRequest(callUUID: $0.0, kind: $0.1) })))
    }

    /// Calls an account.
    func call(_ account: String) throws -> CallUUID {
        let call = fixture.name()
        try act((call, .start(handle: .generic(account), isVideo: false, contactIdentifier: nil)))
        return call
    }

    /// Returns the call that rings on this phone.
    func ringing() throws -> CallUUID {
        let uuids = told.compactMap { if case .callChanged(let call) = $0 { call.uuid } else { nil } }
        return try #require(uuids.last { call($0)?.state == .ringing })
    }

    /// Returns the last snapshot of a call that the phone received.
    func call(_ uuid: CallUUID) -> CallSnapshot? {
        for case .callChanged(let call) in told.reversed() where call.uuid == uuid { return call }
        return nil
    }

    // MARK: Audio

    /// The SSRC of its audio session; nil: it is not active.
    var ssrc: UInt32? {
        for notification in told.reversed() {
            if case .didActivateAudioSession(let session) = notification { return session.ssrc }
            if case .didDeactivateAudioSession = notification { return nil }
        }
        return nil
    }

    /// Sends packets of 20 ms, each with a letter, as time goes by.
    func say(_ letter: Character, _ count: Int = 5) throws {
        for _ in 0..<count {
            try send(letter)
            fixture.advance(by: .milliseconds(20))
        }
    }

    /// Sends one packet.
    func send(_ letter: Character) throws {
        let opus = [0x08, letter.asciiValue ?? 0]
        let packet = TestPhone.packet(
            opus,
            ssrc: try #require(ssrc),
            number: lastPacket,
            timestamp: UInt32(truncatingIfNeeded: fixture.hub.now.nanoseconds / 1_000 * 48 / 1_000)
        )
        lastPacket += 1
        fixture.hub.receive(audio: packet, from: try #require(connection))
        fixture.deliver()
    }

    /// Returns and discards the packets received so far, one letter for each.
    func takeReceivedAudio() -> String {
        defer { heard = [] }
        return String(heard.compactMap { $0.last.map { Character(UnicodeScalar($0)) } })
    }

    // MARK: Input

    /// Handles a message of the hub.
    func take(_ content: VirtualHubOutput.Content) {
        switch content {
        case .text(let bytes):
            switch try? HubMessage(parsing: bytes) {
            case .reply(let id, let outcome):
                if case .success(.opened(let opened)) = outcome, !opened.resumed { (told, lastSeq) = ([], 0) }
                replies[id] = outcome
            case .notification(let seq, let notification):
                #expect(seq == lastSeq + 1, "\(account) misses something before \(notification)")
                lastSeq = seq
                told.append(notification)
            case nil: Issue.record("the hub sent an invalid message: \(String(decoding: bytes, as: UTF8.self))")
            }
        case .audio(let bytes): if bytes[1] == 201 { reports += 1 } else { heard.append(bytes) }
        case .closed, .lost: end = content
        }
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String

        init(_ what: String) {
            description = "\(what) has not come"
        }
    }
}
