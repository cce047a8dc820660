import CallKit
import CallSystem
import Foundation
import HubAccountData
import HubWire
import Testing

/// The app's call directory extension: full and incremental loads, and each of its errors.
struct DirectoryTests {
    private let hub: SimulatedHub
    private let app: TestApp
    private let manager: CXCallDirectoryManager

    init() async throws {
        hub = try SimulatedHub()
        app = TestApp(hub)
        manager = app.system.run { CXCallDirectoryManager.sharedInstance }
        await hub.settle()
    }

    /// A directory whose load is a closure of the test.
    private final class Directory: CXCallDirectoryProvider, CXCallDirectoryExtensionContextDelegate, @unchecked Sendable
    {
        private let body: @Sendable (CXCallDirectoryExtensionContext) -> Void
        private let failures: Locked<[Int]>

        init(_ failures: Locked<[Int]>, _ body: @escaping @Sendable (CXCallDirectoryExtensionContext) -> Void) {
            (self.failures, self.body) = (failures, body)
        }

        override func beginRequest(with context: CXCallDirectoryExtensionContext) {
            // As in Apple's template; nothing of the app's keeps this object.
            context.delegate = self
            body(context)
            context.completeRequest()
        }

        func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error) {
            failures.withLock { $0.append((error as NSError).code) }
        }
    }

    /// Loads the directory, and returns the code of the failure; nil: it is stored.
    @discardableResult
    private func load(
        _ failures: Locked<[Int]> = Locked([]),
        title: String? = nil,
        _ body: @escaping @Sendable (CXCallDirectoryExtensionContext) -> Void
    ) async -> CXErrorCodeCallDirectoryManagerError.Code? {
        app.system.installCallDirectory("directory", title: title) { Directory(failures, body) }
        do {
            try await manager.reloadExtension(withIdentifier: "directory")
            return nil
        } catch {
            return (error as? CXErrorCodeCallDirectoryManagerError)?.code ?? .unknown
        }
    }

    private func report(_ number: String) async throws -> ScreenCall? {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: number)
        try await app.provider.reportNewIncomingCall(with: UUID(), update: update)
        await hub.settle()
        return app.user.calls.last
    }

    @Test func `a full load blocks and labels callers, and the next one replaces it (CK-12, CK-75)`() async throws {
        let failure = await load { context in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_234)
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_111, label: "Telemarketer")
        }
        #expect(failure == nil)
        #expect(await reportRefusal { _ = try await report("1234") } == .filteredByBlockList)
        let labelled = try await report("1111")
        #expect(labelled?.name.contains("Telemarketer") == true)
        try await app.user.decline()
        await load { $0.addBlockingEntry(withNextSequentialPhoneNumber: 5_678) }
        #expect(try await report("1234")?.state == .ringing)
    }

    @Test func `an incremental load is the difference to the stored entries (CK-75, CK-77)`() async throws {
        let flags = Locked<[Bool]>([])
        await load { context in
            flags.withLock { $0.append(context.isIncremental) }
            for number in 1...3 { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number) + 1_000) }
        }
        let failure = await load { context in
            flags.withLock { $0.append(context.isIncremental) }
            context.removeBlockingEntry(withPhoneNumber: 1_002)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_009)
        }
        #expect(failure == nil && flags.withLock { $0 } == [false, true])
        #expect(await reportRefusal { _ = try await report("1001") } == .filteredByBlockList)
        #expect(await reportRefusal { _ = try await report("1009") } == .filteredByBlockList)
        #expect(try await report("1002")?.state == .ringing)
    }

    @Test func `a large directory goes out in batches (CK-75)`() async throws {
        let failure = await load { context in
            for number in 0..<20_000 {
                context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(1_000_000 + number))
            }
        }
        #expect(failure == nil)
        #expect(await reportRefusal { _ = try await report("1019999") } == .filteredByBlockList)
    }

    @Test func `each error of a load has CallKit's code, and nothing is stored (CK-76, CK-79)`() async throws {
        let failures = Locked<[Int]>([])
        let outOfOrder = await load(failures) { context in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1)
        }
        #expect(outOfOrder == .entriesOutOfOrder && failures.withLock { $0 } == [3])
        let duplicates = await load { context in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2)
        }
        #expect(duplicates == .duplicateEntries)
        let removal = await load { $0.removeBlockingEntry(withPhoneNumber: 2) }
        #expect(removal == .unexpectedIncrementalRemoval)
        let cancelled = await load { $0.cancelRequest(withError: CocoaError(.fileNoSuchFile)) }
        #expect(cancelled == .loadingInterrupted)
        #expect(try await report("2")?.state == .ringing)
        await #expect(throws: CXErrorCodeCallDirectoryManagerError(.noExtensionFound)) {
            try await manager.reloadExtension(withIdentifier: "unknown")
        }
    }

    private func status() async throws -> DirectoryStatus? {
        let reply = try await app.system.send(.accountData(.directoryStatus(identifier: "directory")))
        guard case .directories(let directories) = reply else { return nil }
        return directories.first
    }

    @Test func `a load that the extension cancels, or does not end, is the directory's last error (CK-76)`()
        async throws
    {
        struct NoFile: LocalizedError {
            var errorDescription: String? { "The list\nis not there\u{202E}: \(String(repeating: "x", count: 300))" }
        }
        await load { $0.addBlockingEntry(withNextSequentialPhoneNumber: 1_234) }
        #expect(try await status()?.lastFault == nil)
        let failures = Locked<[Int]>([])
        await load(failures) { $0.cancelRequest(withError: NoFile()) }
        #expect(failures.withLock(\.count) == 1)
        let reason = try #require(try await status()?.lastFault?.message)
        #expect(reason.hasPrefix("The list is not there: xxx") && reason.utf8.count == 256)
        app.system.installCallDirectory("directory") { Unfinished() }
        await #expect(throws: CXErrorCodeCallDirectoryManagerError(.loadingInterrupted)) {
            try await manager.reloadExtension(withIdentifier: "directory")
        }
        #expect(try await status()?.lastFault?.message.contains("neither completed nor cancelled") == true)
        #expect(try await status()?.blocking == 1, "what was stored stays")
    }

    /// A directory that forgets its load.
    private final class Unfinished: CXCallDirectoryProvider, @unchecked Sendable {}

    /// A directory that keeps its load and never ends it.
    private final class Keeping: CXCallDirectoryProvider, @unchecked Sendable {
        private var context: CXCallDirectoryExtensionContext?
        private let begins: @Sendable () -> Void

        init(_ begins: @escaping @Sendable () -> Void) { self.begins = begins }

        override func beginRequest(with context: CXCallDirectoryExtensionContext) {
            self.context = context
            begins()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a load that is kept and never ended is interrupted after a minute (CK-76)`()
        async throws
    {
        await load { $0.addBlockingEntry(withNextSequentialPhoneNumber: 1_234) }
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        app.system.installCallDirectory("directory") { Keeping { begins.yield() } }
        let manager = manager
        let loading = Task { try await manager.reloadExtension(withIdentifier: "directory") }
        for await _ in begun { break }
        await #expect(throws: CXErrorCodeCallDirectoryManagerError(.currentlyLoading)) {
            try await manager.reloadExtension(withIdentifier: "directory")
        }
        await hub.advance(by: .seconds(61))
        await #expect(throws: CXErrorCodeCallDirectoryManagerError(.loadingInterrupted)) { try await loading.value }
        #expect(await load { _ in } == nil, "it can be loaded again")
    }

    @Test(.timeLimit(.minutes(1)))
    func `another device of the account has the app load its directory again (CK-77)`() async throws {
        let loads = Locked(0)
        await load { context in
            let number = loads.withLock { count in
                count += 1
                return count
            }
            for entry in 0..<number {
                context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(1_000 + 10 * number + entry))
            }
        }
        let other = hub.device("alice", named: "desk")
        _ = try await other.send(.accountData(.reloadDirectory(identifier: "directory")))
        while try await status()?.blocking != 2 { await hub.settle() }
        #expect(loads.withLock { $0 } == 2)
        #expect(await reportRefusal { _ = try await report("1020") } == .filteredByBlockList)
        #expect(try await report("1010")?.state == .ringing)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a load that is asked for during another one follows it (CK-77)`() async throws {
        let loads = Locked(0)
        await load { $0.addBlockingEntry(withNextSequentialPhoneNumber: 1_234) }
        let (begun, begins) = AsyncStream.makeStream(of: CXCallDirectoryExtensionContext.self)
        app.system.installCallDirectory("directory") {
            Later { context in
                loads.withLock { $0 += 1 }
                begins.yield(context)
            }
        }
        let (manager, other) = (manager, hub.device("alice", named: "desk"))
        let loading = Task { try await manager.reloadExtension(withIdentifier: "directory") }
        var contexts = begun.makeAsyncIterator()
        let first = try #require(await contexts.next())
        // The hub knows of a load by its first entries, and does not refuse the wish yet.
        _ = try await other.send(.accountData(.reloadDirectory(identifier: "directory")))
        await hub.settle()
        first.completeRequest()
        try await loading.value
        let second = try #require(await contexts.next())
        second.completeRequest()
        #expect(loads.withLock { $0 } == 2)
    }

    /// A directory whose load is ended by the test.
    private final class Later: CXCallDirectoryProvider, @unchecked Sendable {
        private let begins: @Sendable (CXCallDirectoryExtensionContext) -> Void

        init(_ begins: @escaping @Sendable (CXCallDirectoryExtensionContext) -> Void) { self.begins = begins }

        override func beginRequest(with context: CXCallDirectoryExtensionContext) { begins(context) }
    }

    @Test func `a directory's title is in front of its labels on the screen (CK-75)`() async throws {
        await load(title: "Acme Caller ID") { context in
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_111, label: "Telemarketer")
        }
        #expect(try await status()?.title == "Acme Caller ID")
        let call = try await report("1111")
        #expect(call?.name == "Telemarketer" && call?.directoryTitle == "Acme Caller ID")
        try await app.user.decline()
        let other = try await report("2222")
        #expect(other?.directoryTitle == nil)
    }

    @Test func `a disabled directory is not loaded, and its status can be asked for (CK-78)`() async throws {
        await load { $0.addBlockingEntry(withNextSequentialPhoneNumber: 1_234) }
        #expect(try await manager.enabledStatusForExtension(withIdentifier: "directory") == .enabled)
        _ = try await app.system.send(.accountData(.setDirectoryEnabled(identifier: "directory", false)))
        #expect(try await manager.enabledStatusForExtension(withIdentifier: "directory") == .disabled)
        #expect(await load { _ in } == .extensionDisabled)
        #expect(try await report("1234")?.state == .ringing)
    }
}
