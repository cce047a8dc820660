import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Full and incremental loads, and the look-up of their entries for incoming calls.
struct CallDirectoryTests {
    private var world = MemoryWorld()

    @Test
    mutating func `a full load sets blocked numbers and labels, and the next one replaces all of them (CK-75, CK-12)`()
        throws
    {
        let first = try world.load(.list(blocking: [4930, 4940], naming: [(4950, "Spam"), (4960, "Bank")]))
        #expect(first == DirectoryLoadResult(blocking: 2, identification: 2))
        #expect(world.looksUp("+4930") == (true, nil))
        #expect(world.looksUp("4950") == (false, "Spam"))
        let second = try world.load(.list(blocking: [1]))
        #expect(second == DirectoryLoadResult(blocking: 1, identification: 0))
        #expect(world.looksUp("4930") == (false, nil))
        #expect(world.looksUp("4950") == (false, nil))
        #expect(world.looksUp("1") == (true, nil))
    }

    @Test mutating func `an incremental load adds to the stored entries, after its removals (CK-75)`() throws {
        _ = try world.load(.list(blocking: [10, 20, 30, 40], naming: [(10, "a"), (20, "b"), (20, "c"), (30, "d")]))
        let load = DirectoryLoad.list(incremental: true, blocking: [5, 20, 35, 50], naming: [(20, "new"), (25, "e")]) {
            $0.removeBlocking = [40, 20, 7]
            $0.removeIdentification = [20, 99]
        }
        #expect(try world.load(load) == DirectoryLoadResult(blocking: 6, identification: 4))
        let blocked = [5, 10, 20, 30, 35, 50]
        for number in 1...60 { #expect(world.looksUp("\(number)").isBlocked == blocked.contains(number), "\(number)") }
        #expect(world.looksUp("10").label == "a")
        #expect(world.looksUp("20").label == "new")
        #expect(world.looksUp("25").label == "e")
        #expect(world.looksUp("30").label == "d")
        #expect(world.looksUp("31").label == nil)
    }

    @Test mutating func `a number shows its first label; removing the number removes all its labels`() throws {
        _ = try world.load(.list(naming: [(1, "first"), (1, "second"), (2, "other")]))
        #expect(world.looksUp("1").label == "first")
        _ = try world.load(.list(incremental: true, naming: [(1, "third")]))
        #expect(world.looksUp("1").label == "first")
        let result = try world.load(.list(incremental: true) { $0.removeIdentification = [1] })
        #expect(result == DirectoryLoadResult(blocking: 0, identification: 1))
        #expect(world.looksUp("1").label == nil)
        #expect(world.looksUp("2").label == "other")
    }

    @Test mutating func `removing all entries of one kind leaves the other kind (CK-75)`() throws {
        _ = try world.load(.list(blocking: [1, 2], naming: [(3, "a")]))
        var result = try world.load(.list(incremental: true, blocking: [2, 9]) { $0.removesAllBlocking = true })
        #expect(result == DirectoryLoadResult(blocking: 2, identification: 1))
        #expect(world.looksUp("1").isBlocked == false)
        #expect(world.looksUp("9").isBlocked == true)
        result = try world.load(.list(incremental: true) { $0.removesAllIdentification = true })
        #expect(result == DirectoryLoadResult(blocking: 2, identification: 0))
    }

    @Test mutating func `a load in batches is stored with its last batch (CK-75)`() throws {
        _ = try world.load(.list(blocking: [1], naming: [(1, "old")]))
        #expect(try world.load(.list(blocking: [2, 3], final: false))?.blocking == 1)
        #expect(try world.load(.list(blocking: [4], naming: [(2, "new")], batch: 2, final: false))?.blocking == 1)
        #expect(world.looksUp("1") == (true, "old"))
        #expect(world.looksUp("2") == (false, nil))
        let result = try world.load(.list(naming: [(5, "newer")], batch: 3))
        #expect(result == DirectoryLoadResult(blocking: 3, identification: 2))
        #expect(world.looksUp("1") == (false, nil))
        #expect(world.looksUp("2") == (true, "new"))
        #expect(world.accountData.nextDeadline == nil)
    }

    @Test mutating func `the entries of a disabled directory are stored but not used (CK-78)`() throws {
        _ = try world.load(.list(blocking: [1], naming: [(2, "a")]))
        #expect(try world.status()?.isEnabled == true)
        #expect(try world.ask(.setDirectoryEnabled(identifier: "list", false)).reply == .done)
        #expect(try world.ask(.setDirectoryEnabled(identifier: "list", false)).reply == .ignored)
        #expect(world.looksUp("1") == (false, nil))
        #expect(world.looksUp("2") == (false, nil))
        #expect(try world.status()?.isEnabled == false)
        #expect(try world.status()?.blocking == 1)
        #expect(try world.ask(.setDirectoryEnabled(identifier: "list", true)).reply == .done)
        #expect(world.looksUp("1").isBlocked)
        #expect(world.looksUp("2").label == "a")
    }

    @Test mutating func `directories are searched in the order of their creation, each account's separately (CK-15)`()
        throws
    {
        _ = try world.load(.list("z", naming: [(1, "of z")]))
        _ = try world.load(.list("a", naming: [(1, "of a"), (2, "of a")]))
        #expect(world.looksUp("1").label == "of z")
        #expect(world.looksUp("2").label == "of a")
        try world.ask(.setDirectoryEnabled(identifier: "z", false))
        #expect(world.looksUp("1").label == "of a")
        let stranger = world.accountData.screeningData(of: Handle(type: .phoneNumber, value: "1"), by: "carol") { _ in
            nil
        }
        #expect(stranger == CallerScreeningData())
        guard case .directories(let all) = try world.ask(.directoryStatus(identifier: nil)).reply else { return }
        #expect(all.map(\.identifier) == ["z", "a"])
    }

    @Test mutating func `an incremental load requires a stored full load (CK-77)`() throws {
        #expect(world.refusal(.loadDirectory(.list(blocking: [2, 1]))) == .callDirectory(.entriesOutOfOrder))
        #expect(try world.status()?.isIncremental == false)
        #expect(try world.status()?.loadedAt == nil)
        let early = DirectoryLoad.list(incremental: true, blocking: [1])
        #expect(world.refusal(.loadDirectory(early)) == .callDirectory(.unexpectedIncrementalRemoval))
        _ = try world.load(.list(blocking: [2]))
        #expect(try world.status()?.isIncremental == true)
        #expect(try world.status()?.loadedAt == world.now)
        #expect(try world.load(early)?.blocking == 2)
    }

    @Test(arguments: [
        ("+49 (30) 12-34.5/6", 4930_123456), ("4930123456", 4930_123456), ("1", 1),
        ("9223372036854775806", Int64.max - 1),
        ("9223372036854775807", nil), ("99999999999999999999", nil), ("030123", nil), ("0049", nil), ("", nil),
        ("+", nil),
        ("49+30", nil), ("49a", nil), ("٤٩", nil),
    ])
    func `a handle's number is its digits, without plus and separators`(text: String, number: Int64?) {
        #expect(Handle(type: .phoneNumber, value: text).phoneNumber == number)
        #expect(Handle(type: .generic, value: text).phoneNumber == nil)
    }

    /// Few numbers, so that changes meet often, and many, so that they are kept in many pieces.
    @Test(arguments: [(1, 200), (2, 200), (3, 30_000)] as [(UInt64, Int64)])
    mutating func `random changes give the same result as a plain list (CK-75)`(seed: UInt64, largest: Int64) throws {
        var random = SeededRandom(seed: seed)
        func some() -> Set<Int64> {
            // From one end to the other, or all in a small part of it.
            let first = Int64.random(in: 1...largest, using: &random)
            let last = Bool.random(using: &random) ? largest : min(largest, first + largest / 10)
            return Set((0..<largest / 4).map { _ in Int64.random(in: first...last, using: &random) })
        }
        var blocked: Set<Int64> = []
        var labels: [Int64: String] = [:]
        _ = try world.load(.list())
        for round in 0..<(largest > 1_000 ? 4 : 12) {
            var load = DirectoryLoad.list(incremental: true)
            load.removeBlocking = Array(some())
            load.removeIdentification = Array(some())
            blocked.subtract(load.removeBlocking)
            for number in load.removeIdentification { labels[number] = nil }
            load.blocking = some().union(some()).subtracting(blocked).sorted()
            blocked.formUnion(load.blocking)
            load.identification = some().union(some()).filter { labels[$0] == nil }.sorted()
                .map { DirectoryEntry($0, "\(round): \($0)") }
            for entry in load.identification { labels[entry.number] = entry.label }
            #expect(try world.load(load) == DirectoryLoadResult(blocking: blocked.count, identification: labels.count))
            // Not all of the many: in a debug build that takes long.
            let wrong = stride(from: 1, through: largest, by: largest > 1_000 ? 7 : 1).first {
                world.looksUp("\($0)") != (blocked.contains($0), labels[$0])
            }
            #expect(wrong == nil, "round \(round)")
        }
    }

    @Test mutating func `a change with a fault at any position of a large directory is refused as a whole (CK-76)`()
        throws
    {
        _ = try world.load(.list(blocking: (1...20_000).map { $0 * 2 }))
        for number in [3, 20_001, 39_999] as [Int64] {
            let load = DirectoryLoad.list(incremental: true, blocking: [1, number, 40_000])
            #expect(world.refusal(.loadDirectory(load)) == .callDirectory(.duplicateEntries))
            #expect(!world.looksUp("1").isBlocked)
            #expect(!world.looksUp("\(number)").isBlocked)
        }
        #expect(try world.status()?.blocking == 20_000)
    }
}
