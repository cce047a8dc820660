import HubAccountData
import HubClient
import HubEngine
import Testing

@testable import callhub_trials

/// Tests that the trial that kills hubs finds the faults it looks for.
struct KillTrialTests {
    // MARK: Recents

    private static func call(_ number: UInt64, _ outcome: RecentCall.Outcome = .missed) -> RecentEntry {
        RecentEntry(
            RecentCall(
                id: RecentUUID(high: 1, low: number),
                handle: .generic("caller"),
                name: "caller",
                isOutgoing: false,
                outcome: outcome,
                startedAt: Instant(nanoseconds: 1),
                endedAt: Instant(nanoseconds: 2)
            )
        )
    }

    private static func expected(_ outcome: RecentCall.Outcome = .missed, isCertain: Bool = true) -> ExpectedCall {
        ExpectedCall(
            what: "a call",
            handle: .generic("caller"),
            isOutgoing: false,
            outcome: outcome,
            isCertain: isCertain
        )
    }

    @Test func `calls that are all stored exactly once, across hubs, are no fault`() {
        let book = Book(limit: 10)
        #expect(book.take([Self.call(1), Self.call(2, .answered)], [Self.expected(), Self.expected(.answered)]) == [])
        #expect(
            book.take([Self.call(1), Self.call(2, .answered), Self.call(3)], [Self.expected()]) == []
        )
        #expect(book.take([Self.call(1), Self.call(2, .answered), Self.call(3)], []) == [])
    }

    @Test func `a call in progress may be stored or not, but not twice`() {
        let cut = [Self.expected(), Self.expected(.answered, isCertain: false)]
        for found in [[Self.call(1)], [Self.call(1), Self.call(2, .answered)]] {
            let book = Book(limit: 10)
            #expect(book.take(found, cut) == [])
        }
        for found in [
            [Self.call(1), Self.call(2, .declined)], [Self.call(1), Self.call(2, .answered), Self.call(3, .answered)],
        ] {
            let book = Book(limit: 10)
            #expect(book.take(found, cut).count == 1)
        }
    }

    @Test(arguments: [("missing", [1]), ("twice under one id", [1, 2, 2]), ("twice", [1, 2, 3]), ("not there", [])])
    func `a call that is not stored exactly once is a fault`(_ what: String, numbers: [UInt64]) {
        let book = Book(limit: 10)
        #expect(!book.take(numbers.map { Self.call($0) }, [Self.expected(), Self.expected()]).isEmpty, "\(what)")
    }

    @Test func `a call with another outcome or time than its parties have is a fault`() {
        let book = Book(limit: 10)
        #expect(!book.take([Self.call(1)], [Self.expected(.answered)]).isEmpty)
        var timed = Self.expected()
        timed.last = Self.snapshot(endedAt: 2)
        #expect(timed.fits(Self.call(1).call))
        timed.last = Self.snapshot(endedAt: 3)
        #expect(!timed.fits(Self.call(1).call))
    }

    private static func snapshot(endedAt: Int64) -> CallSnapshot {
        CallSnapshot(
            uuid: CallUUID(high: 1, low: 1),
            isOutgoing: false,
            state: .ended,
            hasConnected: false,
            remoteHandle: .generic("caller"),
            localizedCallerName: "caller",
            nameSource: .handle,
            isMuted: false,
            isOnHold: false,
            group: nil,
            hasVideo: false,
            capabilities: CallCapabilities(),
            remoteIsRinging: false,
            remoteIsOnHold: false,
            isTranslating: false,
            isExternal: false,
            mustReport: false,
            startedAt: Instant(nanoseconds: 1),
            startedConnectingAt: nil,
            connectedAt: nil,
            endedAt: Instant(nanoseconds: endedAt),
            endedReason: nil,
            cause: nil,
            choices: []
        )
    }

    @Test(arguments: [[2, 3], [1, 3], [2, 1, 3], [3]])
    func `a missing or moved entry of an earlier hub is a fault`(numbers: [UInt64]) {
        let book = Book(limit: 10)
        #expect(book.take([Self.call(1), Self.call(2)], [Self.expected(), Self.expected()]) == [])
        #expect(!book.take(numbers.map { Self.call($0) }, [Self.expected()]).isEmpty)
    }

    @Test func `the oldest entries are removed beyond the limit, and do not return`() {
        let book = Book(limit: 2)
        #expect(book.take([Self.call(1), Self.call(2)], [Self.expected(), Self.expected()]) == [])
        #expect(book.take([Self.call(2), Self.call(3)], [Self.expected()]) == [])
        #expect(!book.take([Self.call(1), Self.call(2), Self.call(3)], []).isEmpty)
    }

    // MARK: Acknowledged values

    @Test func `acknowledged values must be stored, requested ones may be`() {
        var list = AcknowledgedValue([1])
        list.ask([1, 2])
        list.answered()
        list.ask([1, 2, 3])
        for found in [[1, 2], [1, 2, 3]] { #expect(Self.isRight(list, found)) }
        for found in [[1], [], [1, 2, 3, 4]] { #expect(!Self.isRight(list, found)) }
        list.answered(isDone: false)
        #expect(!Self.isRight(list, [1, 2, 3]))
    }

    private static func isRight(_ list: AcknowledgedValue<[Int]>, _ found: [Int]) -> Bool {
        var list = list
        return list.confirm(found)
    }

    // MARK: Directories

    @Test func `a load's batches together equal its state`() throws {
        var state = DirectoryState(size: 2_000)
        var accountData = AccountDataTable()
        let requester = AccountDataRequester(account: "loader", device: "", session: SessionID(index: 1, generation: 0))
        for isStep in [false, true, true, true, true, true, false, true] {
            state = isStep ? state.nextStep : state.nextLoad
            for load in state.batches(of: "list") {
                _ = try accountData.handle(
                    .loadDirectory(load),
                    from: requester,
                    at: Instant(nanoseconds: 1),
                    clock: { _ in nil }
                )
            }
            let contents = try #require(accountData.storedData("loader")?.directories.first?.contents)
            #expect(contents.blockedNumbers == state.blockedNumbers)
            #expect(contents.blockingCount == state.blocking)
            #expect(contents.labels.map(\.number) == (0..<state.identification).map { state.number($0) })
            #expect(contents.labels.map(\.label) == (0..<state.identification).map { state.label($0) })
        }
    }

    @Test func `each state of a directory differs from the next`() {
        var states: [DirectoryState] = []
        for load in 1...20 {
            for step in 0...DirectoryState.mostSteps {
                states.append(DirectoryState(size: 2_000, load: load, step: step))
            }
        }
        for (index, state) in states.enumerated() {
            for next in [state.nextLoad, state.nextStep] {
                #expect(next.blocking != state.blocking || next.identification != state.identification, "\(index)")
            }
        }
    }
}

/// A model of Recents that can be used within an expectation.
private final class Book {
    private var book: RecentsModel

    init(limit: Int) {
        book = RecentsModel(limit: limit)
    }

    func take(_ entries: [RecentEntry], _ expected: [ExpectedCall]) -> [String] { book.take(entries, expected) }
}
