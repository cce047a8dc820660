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
}
