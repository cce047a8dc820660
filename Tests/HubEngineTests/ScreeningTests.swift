import HubEngine
import Testing

/// The screening of callers and the choice of the name shown, by the account data about the caller.
///
/// The test runs the engine itself and supplies the results of its look-ups.
struct ScreeningTests {
    private var engine = Engine(EngineConfiguration(seed: 1))
    private var now = Instant(nanoseconds: 0)
    private var effects: [Effect] = []
    private var lastToken: UInt64 = 0
    private let call = CallUUID(high: 1, low: 1)
    private var alice = SessionID(index: 0, generation: 0)
    private var bob = SessionID(index: 0, generation: 0)

    init() throws {
        alice = try open("alice")
        bob = try open("bob")
    }

    private mutating func open(_ account: String, device: String = "phone") throws -> SessionID {
        let opening = SessionOpening(account: account, handles: [.generic(account)], deviceID: device)
        handle(.sessionOpened(opening, token: token()))
        guard case .reply(_, .opened(let session, _, _)) = effects.first else { throw CancellationError() }
        return session
    }

    private mutating func token() -> RequestToken {
        lastToken += 1
        return RequestToken(rawValue: lastToken)
    }

    private mutating func handle(_ event: Event) {
        effects = []
        engine.handle(event, at: now, into: &effects)
    }

    /// Calls Bob as Alice, and answers the look-up with his data about her.
    private mutating func callBob(
        knowing screeningData: CallerScreeningData = CallerScreeningData(),
        displayName: String? = nil,
        calleeNames: KnownNames = KnownNames()
    ) throws {
        let start = ActionKind.start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil)
        handle(.request(alice, .transaction([ActionRequest(callUUID: call, kind: start)]), token: token()))
        guard case .lookUp(let token, let lookUp) = effects.last else { throw CancellationError() }
        #expect((lookUp.caller, lookUp.callerHandle) == ("alice", .generic("alice")))
        var result = LookUpResult(.account("bob", screeningData))
        result.callerDisplayName = displayName
        result.calleeNames = calleeNames
        handle(.lookedUp(token, result))
    }

    /// Reports an external call on Bob's device, with his data about the caller; returns the reply.
    private mutating func report(
        _ update: CallUpdate = .from("+49301234567"),
        knowing screeningData: CallerScreeningData
    )
        throws -> Reply?
    {
        handle(.request(bob, .reportNewIncomingCall(call, update), token: token()))
        guard case .screen(let token, account: "bob", _) = effects.last else { throw CancellationError() }
        handle(.screened(token, screeningData))
        guard case .reply(_, let reply) = effects.first else { return nil }
        return reply
    }

    private func notifiedSnapshots(_ session: SessionID) -> [CallSnapshot] {
        effects.compactMap { if case .notify(session, .callChanged(let call)) = $0 { call } else { nil } }
    }

    private func recentEntry(_ account: String) -> RecentCall? {
        for case .addRecent(account, let call) in effects { return call }
        return nil
    }

    private static let keptOut: [(name: String, screeningData: CallerScreeningData)] = [
        ("blocked", .init { $0.isBlocked = true }),
        ("blocked by a directory", .init { $0.isBlockedByDirectory = true }),
        ("silenced", .init { $0.doNotDisturb = true }),
        ("blocked, though exempt", .init { ($0.isBlocked, $0.breaksThroughDoNotDisturb) = (true, true) }),
    ]

    @Test(arguments: keptOut.indices)
    mutating func `a blocked or silenced caller hears ringback, and no device rings (CK-11, CK-12, CK-13)`(
        index: Int
    ) throws {
        try callBob(knowing: Self.keptOut[index].screeningData)
        #expect(notifiedSnapshots(bob).isEmpty)
        #expect(notifiedSnapshots(alice).last?.remoteIsRinging == true, "the caller cannot detect the block (D13)")
        let before = effects.count
        now = now + .milliseconds(59_999)
        engine.advance(to: now, into: &effects)
        #expect(effects.count == before)
        now = now + .milliseconds(1)
        engine.advance(to: now, into: &effects)
        #expect(notifiedSnapshots(bob).isEmpty)
        let last = notifiedSnapshots(alice).last
        #expect((last?.endedReason, last?.cause) == (.unanswered, .timeout))
        #expect(engine.objectCounts.calls == 0)
    }

    @Test(arguments: keptOut.indices)
    mutating func `a device that signs in during ringback without ringing does not ring`(index: Int) throws {
        try callBob(knowing: Self.keptOut[index].screeningData)
        let tablet = try open("bob", device: "tablet")
        #expect(notifiedSnapshots(tablet).isEmpty)
    }

    @Test mutating func `a blocked call leaves no entry, a silenced one is missed and marked as silenced (D9)`() throws
    {
        for (index, expected) in [(0, nil), (1, nil), (2, RecentCall.Outcome.missed)] {
            var test = try ScreeningTests()
            try test.callBob(knowing: Self.keptOut[index].screeningData)
            test.now = test.now + .seconds(60)
            test.engine.advance(to: test.now, into: &test.effects)
            #expect(test.recentEntry("bob")?.outcome == expected)
            #expect(test.recentEntry("bob")?.isSilenced == (expected == nil ? nil : true))
            #expect(test.recentEntry("alice")?.outcome == .unanswered)
        }
    }

    @Test mutating func `an exempt caller rings through Do Not Disturb (CK-13, CK-74)`() throws {
        try callBob(knowing: .init { ($0.doNotDisturb, $0.breaksThroughDoNotDisturb) = (true, true) })
        #expect(notifiedSnapshots(bob).map(\.state) == [.ringing])
    }

    @Test mutating func `a report of a blocked caller gets 204, of a silenced one 203 (CK-11, CK-12, CK-13)`()
        throws
    {
        let codes: [Refusal.IncomingCallCode] = [
            .filteredByBlockList, .filteredByBlockList, .filteredByDoNotDisturb, .filteredByBlockList,
        ]
        for (kept, code) in zip(Self.keptOut, codes) {
            guard case .refused(let refusal) = try report(knowing: kept.screeningData) else {
                Issue.record("\(kept.name): it rang")
                continue
            }
            #expect(refusal.code == .incomingCall(code), "\(kept.name)")
            #expect(notifiedSnapshots(bob).isEmpty)
            #expect(engine.objectCounts.calls == 0)
        }
        #expect(try report(knowing: CallerScreeningData()) == .done, "no tombstone of what never was a call")
    }

    @Test mutating func `the displayed name is the caller's own, a contact's, a directory's, or the handle (CK-15)`()
        throws
    {
        let known = KnownNames(contact: "Ali", directory: "(Numbers) Alice L.")
        let cases: [(String?, KnownNames, String, CallSnapshot.NameSource)] = [
            ("Alice Liddell", known, "Alice Liddell", .caller),
            (nil, known, "Ali", .contact),
            (nil, KnownNames(directory: "(Numbers) Alice L."), "(Numbers) Alice L.", .directory),
            (nil, KnownNames(), "alice", .handle),
        ]
        for (displayName, names, shown, source) in cases {
            var test = try ScreeningTests()
            try test.callBob(knowing: .init { $0.names = names }, displayName: displayName)
            let call = test.notifiedSnapshots(test.bob).last
            #expect((call?.localizedCallerName, call?.nameSource) == (shown, source))
        }
    }

    @Test(
        arguments: [
            ("a directory's label", nil, "Acme Caller ID"), ("a contact's name", "Ali", nil),
        ] as [(String, String?, String?)]
    )
    mutating func `a directory's title comes with its label, and with no other name (CK-15)`(
        name: String,
        contact: String?,
        title: String?
    ) throws {
        var names = KnownNames(contact: contact, directory: "Alice L.")
        names.directoryTitle = "Acme Caller ID"
        try callBob(knowing: .init { $0.names = names })
        #expect(notifiedSnapshots(bob).last?.directoryTitle == title, "\(name)")
    }

    @Test mutating func `the callee's displayed name is the one that the caller has stored (CK-15)`() throws {
        try callBob(displayName: "Alice Liddell", calleeNames: KnownNames(contact: "Bobby"))
        let call = notifiedSnapshots(alice).last
        #expect((call?.localizedCallerName, call?.nameSource) == ("Bobby", .contact))
    }

    @Test mutating func `for a reported call the client's own name has priority (CK-15)`() throws {
        var named = CallUpdate.from("+49301234567")
        named.localizedCallerName = "Grandmother"
        #expect(try report(named, knowing: .init { $0.names.contact = "Granny" }) == .done)
        #expect(notifiedSnapshots(bob).last?.localizedCallerName == "Grandmother")
        var test = try ScreeningTests()
        #expect(try test.report(knowing: .init { $0.names.contact = "Granny" }) == .done)
        #expect(test.notifiedSnapshots(test.bob).last?.localizedCallerName == "Granny")
    }
}

extension CallerScreeningData {
    fileprivate init(_ change: (inout CallerScreeningData) -> Void) {
        self.init()
        change(&self)
    }
}

extension KnownNames {
    fileprivate init(contact: String? = nil, directory: String?) {
        self.init()
        (self.contact, self.directory) = (contact, directory)
    }

    fileprivate init(contact: String) {
        self.init(contact: contact, directory: nil)
    }
}

extension CallUpdate {
    fileprivate static func from(_ number: String) -> CallUpdate {
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: number)
        return update
    }
}
