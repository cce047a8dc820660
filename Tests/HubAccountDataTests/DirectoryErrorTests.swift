import HubAccountData
import HubEngine
import Testing

/// Each error code of the call directory; a failed load changes nothing (CK-76).
struct DirectoryErrorTests {
    /// A request that is refused, and the requests before it.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var code: AccountDataError.CallDirectoryCode
        var before: [AccountDataRequest] = []
        var request: AccountDataRequest

        init(
            _ description: String,
            _ code: AccountDataError.CallDirectoryCode,
            before: [AccountDataRequest] = [],
            _ request: AccountDataRequest
        ) {
            (testDescription, self.code, self.before, self.request) = (description, code, before, request)
        }
    }

    private static func load(
        incremental: Bool = false,
        blocking: [Int64] = [],
        naming identification: [(Int64, String)] = [],
        batch: Int = 1,
        final: Bool = true,
        change: (inout DirectoryLoad) -> Void = { _ in }
    ) -> AccountDataRequest {
        .loadDirectory(
            .list(
                incremental: incremental,
                blocking: blocking,
                naming: identification,
                batch: batch,
                final: final,
                change: change
            )
        )
    }

    private static let cases: [Case] = [
        Case("the status of an unknown extension", .noExtensionFound, .directoryStatus(identifier: "none")),
        Case("enabling an unknown extension", .noExtensionFound, .setDirectoryEnabled(identifier: "none", true)),
        Case("cancelling a load of an unknown extension", .noExtensionFound, .cancelDirectoryLoad(identifier: "none")),
        Case("a second batch without a first", .loadingInterrupted, load(batch: 2)),
        Case("a batch left out", .loadingInterrupted, before: [load(final: false)], load(batch: 3)),
        Case("blocked numbers that descend", .entriesOutOfOrder, load(blocking: [2, 1])),
        Case("named numbers that descend", .entriesOutOfOrder, load(naming: [(2, "a"), (1, "b")])),
        Case(
            "numbers that descend from one batch to the next",
            .entriesOutOfOrder,
            before: [load(blocking: [7], final: false)],
            load(blocking: [6], batch: 2)
        ),
        Case("a number blocked twice", .duplicateEntries, load(blocking: [1, 1])),
        Case("a number with the same label twice", .duplicateEntries, load(naming: [(1, "a"), (1, "b"), (1, "a")])),
        Case("a number that is blocked already", .duplicateEntries, load(incremental: true, blocking: [11])),
        Case("a label that is there already", .duplicateEntries, load(incremental: true, naming: [(12, "kept")])),
        Case(
            "six entries where five may be",
            .maximumEntriesExceeded,
            load(blocking: [1, 2, 3], naming: [(1, "a"), (2, "b"), (3, "c")])
        ),
        Case(
            "six entries in two batches",
            .maximumEntriesExceeded,
            before: [load(blocking: [1, 2, 3], final: false)],
            load(blocking: [4, 5, 6], batch: 2, final: false)
        ),
        Case(
            "six entries after an incremental load",
            .maximumEntriesExceeded,
            load(incremental: true, blocking: [1, 2, 3, 4])
        ),
        Case(
            "six entries with another extension's",
            .maximumEntriesExceeded,
            .loadDirectory(.list("other", blocking: [1, 2, 3, 4]))
        ),
        Case(
            "one extension too many",
            .maximumEntriesExceeded,
            before: [.loadDirectory(.list("second"))],
            .loadDirectory(.list("third"))
        ),
        Case(
            "a load of a disabled extension",
            .extensionDisabled,
            before: [.setDirectoryEnabled(identifier: "list", false)],
            load()
        ),
        Case(
            "the last batch of an extension that was disabled meanwhile",
            .extensionDisabled,
            before: [load(final: false), .setDirectoryEnabled(identifier: "list", false)],
            load(batch: 2)
        ),
        Case("a load while one is under way", .currentlyLoading, before: [load(final: false)], load()),
        Case("a removal in a full load", .unexpectedIncrementalRemoval, load { $0.removeBlocking = [1] }),
        Case("a name's removal in a full load", .unexpectedIncrementalRemoval, load { $0.removeIdentification = [1] }),
        Case("removing all in a full load", .unexpectedIncrementalRemoval, load { $0.removesAllBlocking = true }),
        Case(
            "removing all names in a full load",
            .unexpectedIncrementalRemoval,
            load { $0.removesAllIdentification = true }
        ),
        Case(
            "an incremental load of what was never loaded",
            .unexpectedIncrementalRemoval,
            .loadDirectory(.list("new", incremental: true, blocking: [1]))
        ),
    ]

    @Test(arguments: cases)
    func `each fault has its error code, and changes nothing (CK-76)`(fault: Case) throws {
        var world = MemoryWorld {
            $0.maximumDirectoryEntries = 5
            $0.maximumDirectoryExtensions = 2
        }
        _ = try world.load(.list(blocking: [11], naming: [(12, "kept")]))
        for request in fault.before { try world.ask(request) }
        #expect(world.refusal(fault.request) == .callDirectory(fault.code))
        try world.ask(.setDirectoryEnabled(identifier: "list", true))
        #expect(world.looksUp("11") == (true, nil))
        #expect(world.looksUp("12") == (false, "kept"))
        #expect(world.looksUp("1") == (false, nil))
        if fault.code != .currentlyLoading {
            // The load that was refused is over: nothing of it is left, and the next one may begin.
            #expect(world.accountData.nextDeadline == nil)
            #expect(try world.load(.list(blocking: [7]))?.blocking == 1)
        }
    }

    @Test func `every error code except unknown is reachable (CK-76)`() {
        let codes = Set(Self.cases.map(\.code))
        #expect(codes == Set(AccountDataError.CallDirectoryCode.allCases).subtracting([.unknown]))
    }

    @Test func `another device's load in progress refuses a second one, and continues (CK-76)`() throws {
        var world = MemoryWorld()
        _ = try world.load(.list(blocking: [1], final: false), session: 1)
        for batch in 1...2 {
            let other = AccountDataRequest.loadDirectory(.list(blocking: [9], batch: batch))
            #expect(world.refusal(other, session: 2) == .callDirectory(.currentlyLoading))
        }
        #expect(
            world.refusal(.cancelDirectoryLoad(identifier: "list"), session: 2) == .callDirectory(.currentlyLoading)
        )
        #expect(try world.load(.list(blocking: [2], batch: 2), session: 1)?.blocking == 2)
    }

    @Test func `a number has sixteen labels at most`() throws {
        var world = MemoryWorld()
        _ = try world.load(.list(naming: (1...16).map { (5, "\($0)") }))
        #expect(
            world.refusal(.loadDirectory(.list(incremental: true, naming: [(5, "x")])))
                == .callDirectory(.maximumEntriesExceeded)
        )
        #expect(
            world.refusal(.loadDirectory(.list(naming: (1...17).map { (5, "\($0)") })))
                == .callDirectory(.maximumEntriesExceeded)
        )
        #expect(world.looksUp("5").label == "1")
    }

    @Test func `all batches of a load are of one kind, full or incremental`() throws {
        var world = MemoryWorld()
        _ = try world.load(.list(blocking: [1], final: false))
        #expect(world.refusal(.loadDirectory(.list(incremental: true, batch: 2))) == .invalidArgument)
    }
}
