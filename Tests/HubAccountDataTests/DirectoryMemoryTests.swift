import HubAccountData
import HubEngine
import Testing

/// The memory of call directories: a limit for each account and one for all of them, in bytes.
struct DirectoryMemoryTests {
    private static let label = String(repeating: "x", count: 256)
    private static let entryBytes = 268
    private static let megabyte = 1 << 20

    /// Labels of 256 bytes, as many as asked for.
    private static func load(
        _ count: Int,
        _ identifier: String = "list",
        incremental: Bool = false,
        from first: Int64 = 1,
        batch: Int = 1,
        final: Bool = true
    ) -> DirectoryLoad {
        let names = (0..<Int64(count)).map { (first + $0, label) }
        return .list(identifier, incremental: incremental, naming: names, batch: batch, final: final)
    }

    private var world = MemoryWorld {
        $0.maximumDirectoryMegabytes = 1
        $0.maximumDirectoryMegabytesInAll = 3
    }
    private let most = megabyte / entryBytes

    private mutating func refusal(of load: DirectoryLoad, as account: String = "bob") -> AccountDataError? {
        do {
            try world.ask(.loadDirectory(load), as: account)
            return nil
        } catch {
            return error as? AccountDataError
        }
    }

    @Test mutating func `the directories of an account have a total size limit, whatever their labels`() throws {
        #expect(refusal(of: Self.load(most)) == nil)
        #expect(world.accountData.directoryBytes == most * Self.entryBytes)
        let refused = try #require(refusal(of: Self.load(20, "other")))
        #expect(refused.code == .callDirectory(.maximumEntriesExceeded))
        #expect(refused.message.contains("at most 1 MB"))
        #expect(world.accountData.directoryBytes == most * Self.entryBytes, "nothing is left of what was refused")
        #expect(refusal(of: Self.load(20, incremental: true, from: 1_000_000)) == refused)
        #expect(refusal(of: Self.load(most)) == nil, "a list of the largest size can be loaded anew")
        #expect(world.looksUp("\(most)").label == Self.label)
    }

    @Test mutating func `a batch beyond the limit is refused before it is stored, and its load ends`() {
        #expect(refusal(of: Self.load(most - 5, final: false)) == nil)
        #expect(world.accountData.directoryBytes == (most - 5) * Self.entryBytes)
        let late = Self.load(20, from: 1_000_000, batch: 2, final: false)
        #expect(refusal(of: late)?.code == .callDirectory(.maximumEntriesExceeded))
        #expect(world.accountData.directoryBytes == 0)
        #expect(refusal(of: late)?.code == .callDirectory(.loadingInterrupted))
    }

    @Test mutating func `the directories of all accounts have a total size limit, including loads in progress (429)`()
        throws
    {
        for account in ["a", "b"] { #expect(refusal(of: Self.load(most), as: account) == nil) }
        #expect(refusal(of: Self.load(most, final: false), as: "c") == nil)
        let refused = try #require(refusal(of: Self.load(20), as: "d"))
        #expect(refused.code == .tooMany)
        #expect(refused.message.contains("all accounts"))
        #expect(refusal(of: .list(blocking: [1]), as: "d") == nil, "a load within the limit is accepted")
        world.accountData.sessionEnded(MemoryWorld.session(1), of: "c")
        #expect(refusal(of: Self.load(20), as: "d") == nil)
        world.accountData.removeAccount("a")
        #expect(refusal(of: Self.load(most), as: "c") == nil)
    }

    @Test mutating func `removed, replaced, expired, cancelled and erased entries release their bytes`() throws {
        _ = try world.load(Self.load(100))
        let removal = DirectoryLoad.list(incremental: true) { $0.removeIdentification = Array(1...40) }
        _ = try world.load(removal)
        #expect(world.accountData.directoryBytes == 60 * Self.entryBytes)
        _ = try world.load(.list(blocking: [1, 2, 3]))
        #expect(world.accountData.directoryBytes == 24)
        _ = try world.load(.list("two", blocking: [7], final: false))
        #expect(world.accountData.directoryBytes == 32)
        world.accountData.expire(at: world.now + .seconds(61))
        #expect(world.accountData.directoryBytes == 24)
        _ = try world.load(.list("three", blocking: [7, 8], final: false))
        try world.ask(.cancelDirectoryLoad(identifier: "three"))
        #expect(world.accountData.directoryBytes == 24)
        try world.ask(.erase)
        #expect(world.accountData.directoryBytes == 0)
    }

    @Test mutating func `stored directories are restored even if they exceed lowered limits`() throws {
        _ = try world.load(Self.load(most))
        let kept = try #require(world.accountData.storedData("bob"))
        var narrow = AccountDataLimits()
        narrow.maximumDirectoryMegabytes = 0
        narrow.maximumDirectoryMegabytesInAll = 0
        world.accountData = AccountDataTable(limits: narrow)
        world.accountData.restore(kept)
        #expect(world.accountData.directoryBytes == most * Self.entryBytes)
        #expect(world.looksUp("1").label == Self.label)
        #expect(refusal(of: .list(blocking: [1])) != nil)
        world.accountData.restore(kept)
        #expect(world.accountData.directoryBytes == most * Self.entryBytes, "counted once")
    }
}
