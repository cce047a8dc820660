import HubAccountData
import HubEngine
import Testing

/// Incomplete loads: nothing of them is stored, and the old data stays in use (CK-79).
struct UnfinishedLoadTests {
    private var world = MemoryWorld()

    init() throws {
        _ = try world.load(.list(blocking: [1]))
        _ = try world.load(.list(blocking: [2], final: false))
    }

    private func expectOldData() {
        #expect(world.looksUp("1").isBlocked)
        #expect(!world.looksUp("2").isBlocked)
        #expect(world.accountData.nextDeadline == nil)
    }

    @Test mutating func `a load that takes too long expires, and its client is notified once (CK-79)`() throws {
        world.now = world.now + .seconds(59)
        world.accountData.expire(at: world.now)
        #expect(try world.load(.list(blocking: [3], batch: 2, final: false))?.isExpired == false)
        let deadline = try #require(world.accountData.nextDeadline)
        #expect(deadline == world.now + .seconds(60))
        world.now = deadline
        world.accountData.expire(at: world.now)
        expectOldData()
        let late = try world.load(.list(blocking: [4], batch: 3))
        #expect(late == DirectoryLoadResult(blocking: 1, identification: 0, isExpired: true))
        expectOldData()
        let later = AccountDataRequest.loadDirectory(.list(blocking: [5], batch: 4))
        #expect(world.refusal(later) == .callDirectory(.loadingInterrupted))
        expectOldData()
    }

    @Test mutating func `after an expired load the next one starts from the beginning (CK-79)`() throws {
        world.now = world.now + .seconds(60)
        world.accountData.expire(at: world.now)
        #expect(try world.load(.list(blocking: [9]))?.isExpired == false)
        #expect(world.looksUp("9").isBlocked)
    }

    @Test mutating func `a load does not continue in the device's next session (CK-79)`() throws {
        world.accountData.sessionEnded(MemoryWorld.session(2), of: "bob")
        #expect(world.accountData.nextDeadline != nil)
        world.accountData.sessionEnded(MemoryWorld.session(1), of: "bob")
        expectOldData()
        let rest = AccountDataRequest.loadDirectory(.list(batch: 2))
        #expect(world.refusal(rest, session: 2) == .callDirectory(.loadingInterrupted))
        #expect(world.refusal(rest, session: 1) == .callDirectory(.loadingInterrupted))
        expectOldData()
    }

    @Test mutating func `a cancelled load is discarded (CK-79)`() throws {
        guard case .loaded(let result) = try world.ask(.cancelDirectoryLoad(identifier: "list")).reply else { return }
        #expect(result == DirectoryLoadResult(blocking: 1, identification: 0))
        expectOldData()
        #expect(world.refusal(.loadDirectory(.list(batch: 2))) == .callDirectory(.loadingInterrupted))
        #expect(try world.load(.list(blocking: [3]))?.blocking == 1)
    }

    @Test mutating func `a removed account has no load and no directory`() {
        world.accountData.removeAccount("bob")
        #expect(world.accountData.nextDeadline == nil)
        #expect(!world.looksUp("1").isBlocked)
    }

    /// The load's next request, and the code and message of the status after it.
    @Test(
        arguments: [
            ("numbers that descend", .loadDirectory(.list(blocking: [1], batch: 2)), .entriesOutOfOrder, nil),
            ("a batch left out", .loadDirectory(.list(batch: 3)), .loadingInterrupted, nil),
            (
                "cancelled with a reason", .cancelDirectoryLoad(identifier: "list", message: "no data"), .unknown,
                "no data"
            ),
            ("cancelled without a reason", .cancelDirectoryLoad(identifier: "list"), nil, nil),
            ("stored", .loadDirectory(.list(blocking: [3], batch: 2)), nil, nil),
        ] as [(String, AccountDataRequest, AccountDataError.CallDirectoryCode?, String?)]
    )
    mutating func `the reason why a load was not stored is kept until one is (CK-76, CK-79)`(
        name: String,
        request: AccountDataRequest,
        code: AccountDataError.CallDirectoryCode?,
        message: String?
    ) throws {
        _ = world.refusal(request)
        let fault = try world.status()?.lastFault
        #expect(fault?.code == code.map { .callDirectory($0) }, "\(name)")
        if let message { #expect(fault?.message == message) }
        if code != nil { #expect(fault?.at == world.now) }
        _ = try world.load(.list(blocking: [9]))
        #expect(try world.status()?.lastFault == nil)
    }

    @Test mutating func `an expired load is kept as interrupted, and a competing one is not (CK-76)`() throws {
        #expect(world.refusal(.loadDirectory(.list(blocking: [4])), session: 2) == .callDirectory(.currentlyLoading))
        #expect(try world.status()?.lastFault == nil)
        let deadline = try #require(world.accountData.nextDeadline)
        world.now = deadline
        world.accountData.expire(at: world.now)
        #expect(try world.status()?.lastFault?.code == .callDirectory(.loadingInterrupted))
        #expect(try world.status()?.lastFault?.at == deadline)
    }

    @Test mutating func `a reload is asked of the other devices unless the extension cannot be loaded now (CK-76)`()
        throws
    {
        let reload = AccountDataRequest.reloadDirectory(identifier: "list")
        #expect(world.refusal(.reloadDirectory(identifier: "none")) == .callDirectory(.noExtensionFound))
        #expect(world.refusal(reload) == .callDirectory(.currentlyLoading))
        _ = try world.ask(.cancelDirectoryLoad(identifier: "list"))
        #expect(try world.ask(reload) == AccountDataResult(.done, reloadedDirectory: "list"))
        _ = try world.ask(.setDirectoryEnabled(identifier: "list", false))
        #expect(world.refusal(reload) == .callDirectory(.extensionDisabled))
    }

    @Test mutating func `a directory's title comes with its labels, from the load that is stored (CK-15)`() throws {
        func title() -> String? {
            world.screeningData(of: Handle(type: .phoneNumber, value: "5")).names.directoryTitle
        }
        let titled = DirectoryLoad.list(naming: [(5, "Jane")]) { $0.title = "Acme Caller ID" }
        _ = world.refusal(.cancelDirectoryLoad(identifier: "list"))
        _ = try world.load(titled)
        #expect(title() == "Acme Caller ID")
        _ = try world.load(.list(incremental: true, blocking: [6]))
        #expect(title() == "Acme Caller ID", "unchanged")
        _ = world.refusal(.loadDirectory(.list(blocking: [2, 1]) { $0.title = "Other" }))
        #expect(title() == "Acme Caller ID", "a load that is not stored")
        _ = try world.load(.list(naming: [(5, "Jane")]) { $0.title = "" })
        #expect(title() == nil)
    }
}
