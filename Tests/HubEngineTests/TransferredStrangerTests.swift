import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Bob transfers calls to Carol, who has only Dave among her contacts and may refuse strangers (CH-08).
struct TransferredStrangerTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    private let dave: SessionID
    private let alices: (bob: CallUUID, other: CallUUID)

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob") { $0.maximumCallGroups = 4 }
        carol = try hub.open("carol")
        dave = try hub.open("dave")
        let call = try hub.connect(alice, to: "bob", on: bob)
        alices = (call.incoming, call.outgoing)
        let contact = Contact(identifier: "1", name: "Dave", handles: [.generic("Dave")])
        try hub.changeAccountData("carol", .putContact(contact))
    }

    private mutating func refuseStrangers(_ account: String = "carol", _ isOn: Bool = true) throws {
        try hub.changeAccountData(account, .setSettings(SettingsUpdate(acceptsTransferredStrangers: !isOn)))
    }

    /// Requests an attended transfer of one of Bob's calls to another.
    private mutating func transfer(_ call: CallUUID, to other: CallUUID) -> Refusal? {
        refusal(of: ActionRequest(callUUID: call, kind: .transfer(to: .call(other))))
    }

    /// Requests a blind transfer of one of Bob's calls to Carol.
    private mutating func transfer(_ call: CallUUID, to name: String = "carol") -> Refusal? {
        refusal(of: ActionRequest(callUUID: call, kind: .transfer(to: .handle(.generic(name)))))
    }

    private mutating func refusal(of request: ActionRequest) -> Refusal? {
        guard case .refused(let refusal) = hub.ask(bob, .transaction([request])) else { return nil }
        return refusal
    }

    // MARK: Blind

    @Test mutating func `no stranger's call is transferred to one who refuses strangers, and nothing changes (CH-08)`()
        throws
    {
        try refuseStrangers()
        for session in [alice, bob, carol] { _ = hub.read(session) }
        #expect(transfer(alices.bob)?.code == .requestTransaction(.invalidAction))
        for session in [alice, bob, carol] { #expect(hub.read(session).isEmpty) }
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
        #expect(hub.violations == [])
        try refuseStrangers("carol", false)
        #expect(transfer(alices.bob) == nil && hub.ringing(carol) != nil)
    }

    @Test mutating func `a contact's call is transferred to one who refuses strangers (CH-08)`() throws {
        try refuseStrangers()
        let call = try hub.connect(dave, to: "bob", on: bob)
        #expect(transfer(call.incoming) == nil)
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .answer)
        #expect(hub.engine.audioRoute(of: dave).sinks == [carol])
    }

    @Test mutating func `a stranger calls one who refuses strangers, since only transfers count (CH-08)`() throws {
        try refuseStrangers()
        _ = try hub.connect(alice, to: "carol", on: carol)
        #expect(hub.calls(carol).count == 1)
    }

    @Test mutating func `the setting of the transferred party does not count in a blind transfer (CH-08)`() throws {
        try refuseStrangers("alice")
        #expect(transfer(alices.bob) == nil)
        #expect(hub.ringing(carol) != nil)
    }

    @Test mutating func `one's own devices are no strangers (CH-08)`() throws {
        let desk = try hub.open("alice", device: "desk")
        try refuseStrangers("alice")
        #expect(transfer(alices.bob, to: "alice") == nil)
        #expect(hub.ringing(desk) != nil)
    }

    @Test mutating func `a stranger's call is transferred to the transferor's own devices (CH-08)`() throws {
        let desk = try hub.open("bob", device: "desk")
        try refuseStrangers("bob")
        #expect(transfer(alices.bob, to: "bob") == nil)
        #expect(hub.ringing(desk) != nil)
    }

    @Test mutating func `a stranger's call comes back to a transferor who refuses strangers (CH-08)`() throws {
        try refuseStrangers("bob")
        #expect(transfer(alices.bob) == nil)
        hub.request(carol, try #require(hub.ringing(carol)?.uuid), .end)
        #expect(hub.ringing(bob)?.returned?.cause == .declined)
    }

    @Test func `who begins to refuse strangers while a transfer is performed declines (CH-08)`() throws {
        var hub = SimulatedHub()
        let alice = try hub.open("alice")
        let bob = try hub.open("bob", fulfillment: .manual)
        let carol = try hub.open("carol")
        let uuid = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob)?.uuid)
        hub.request(bob, incoming, .answer)
        hub.ask(bob, .fulfill(try #require(hub.actionToPerform(bob)).uuid, date: nil))
        #expect(hub.request(bob, incoming, .transfer(to: .handle(.generic("carol")))) == nil)
        try hub.changeAccountData("carol", .setSettings(SettingsUpdate(acceptsTransferredStrangers: false)))
        hub.ask(bob, .fulfill(try #require(hub.actionToPerform(bob)).uuid, date: nil))
        #expect(hub.calls(carol) == [])
        #expect(hub.ringing(bob)?.returned?.cause == .declined)
        #expect(hub.last(uuid, on: alice)?.returned?.cause == .declined)
        #expect(hub.violations == [])
    }

    @Test mutating func `a blocked contact hears ringback, whether strangers are refused or not (CH-08, CK-11)`()
        throws
    {
        let call = try hub.connect(dave, to: "bob", on: bob)
        try hub.changeAccountData("carol", .block(.handle(.generic("dave"))))
        try refuseStrangers()
        #expect(transfer(call.incoming) == nil)
        #expect(hub.ringing(carol) == nil && hub.last(call.outgoing, on: dave)?.remoteIsRinging == true)
    }

    @Test mutating func `a guest is a stranger (CH-07, CH-08)`() throws {
        try refuseStrangers()
        let guest = try hub.open("guest-1", isGuest: true)
        let visit = try hub.connect(guest, to: "bob", on: bob)
        #expect(transfer(visit.incoming)?.code == .requestTransaction(.invalidAction))
    }

    // MARK: Attended

    @Test(arguments: ["carol", "alice"], [true, false])
    mutating func `neither end of an attended transfer that refuses strangers is connected with one (CH-08)`(
        refusing: String,
        isCarolTheTarget: Bool
    ) throws {
        let carols = try hub.connect(bob, to: "carol", on: carol).outgoing
        try refuseStrangers(refusing)
        for session in [alice, bob, carol] { _ = hub.read(session) }
        let (call, target) = isCarolTheTarget ? (alices.bob, carols) : (carols, alices.bob)
        #expect(transfer(call, to: target)?.code == .requestTransaction(.invalidAction))
        for session in [alice, bob, carol] { #expect(hub.read(session).isEmpty) }
        try refuseStrangers(refusing, false)
        #expect(transfer(call, to: target) == nil)
        #expect(hub.engine.audioRoute(of: alice).sinks == [carol])
        #expect(hub.violations == [])
    }

    @Test mutating func `an attended transfer connects contacts, of whom one refuses strangers (CH-08)`() throws {
        try refuseStrangers()
        let daves = try hub.connect(dave, to: "bob", on: bob).incoming
        let carols = try hub.connect(bob, to: "carol", on: carol).outgoing
        #expect(transfer(daves, to: carols) == nil)
        #expect(hub.engine.audioRoute(of: dave).sinks == [carol])
    }

    @Test mutating func `the refusal of a stranger reads as that of a blocked party (CH-08, CK-11)`() throws {
        let carols = try hub.connect(bob, to: "carol", on: carol).outgoing
        try refuseStrangers()
        let ofStranger = transfer(alices.bob, to: carols)
        try refuseStrangers("carol", false)
        try hub.changeAccountData("carol", .block(.handle(.generic("alice"))))
        #expect(ofStranger != nil && transfer(alices.bob, to: carols) == ofStranger)
    }
}
