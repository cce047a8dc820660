import CallSystem
import Foundation
import HubAccountData
import HubServer
import HubWire
import SampleTerminal
import Testing

@testable import Directory

/// The sample Directory: loads of a large list, and each error.
@MainActor
struct DirectoryTests {
    @Test func `Directory loads a large list, then the difference, and callers are blocked or labelled`() async throws {
        let fixture = try await SampleFixture { terminal, _ in DirectoryApp(terminal) }
        await fixture.type("full 50000")
        #expect(fixture.takePrinted() == ["loaded"])
        for number in [10_000_000, 10_000_001, 10_049_998, 10_050_000] { await fixture.type("ring \(number)") }
        #expect(
            fixture.takePrinted() == [
                "10000000 is blocked", "10000001 rings as Company 10000001", "10049998 is blocked",
                "10050000 rings as 10050000",
            ]
        )
        await fixture.type("incremental 2 10000000 10000001")
        #expect(fixture.takePrinted() == ["loaded"])
        for number in [10_000_000, 10_000_001, 10_000_002, 10_050_000, 10_050_001] {
            await fixture.type("ring \(number)")
        }
        #expect(
            fixture.takePrinted() == [
                "10000000 rings as 10000000", "10000001 rings as 10000001", "10000002 is blocked",
                "10050000 is blocked", "10050001 rings as Company 10050001",
            ]
        )
        await fixture.type("full 10")
        await fixture.type("ring 10000012")
        #expect(fixture.takePrinted() == ["loaded", "10000012 rings as 10000012"])
    }

    @Test func `each error of a load has its name and number, and the list stays as it was (CK-76)`() async throws {
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .error
        settings.accountData.maximumDirectoryEntries = 100
        let server = try HubServer.start(settings)
        defer { server.stop() }
        let system = CallSystem(HubAccess(url: "ws://127.0.0.1:\(server.port)/v1", account: "alice"))
        var printed: [String] = []
        let terminal = Terminal { printed.append($0) }
        let app = system.run { DirectoryApp(terminal) }
        for line in [
            "incremental 1", "full 10", "unknown", "fault loadingInterrupted", "fault entriesOutOfOrder",
            "fault duplicateEntries", "full 101", "twice 10", "fault unexpectedIncrementalRemoval", "status",
            "ring 10000008",
        ] {
            await app.terminal.perform(line)
        }
        #expect(
            printed == [
                // The first load cannot be a difference.
                "error: loadingInterrupted (2)", "loaded", "error: noExtensionFound (1)",
                "error: loadingInterrupted (2)", "error: entriesOutOfOrder (3)", "error: duplicateEntries (4)",
                "error: maximumEntriesExceeded (5)", "error: currentlyLoading (7)", "loaded",
                "error: unexpectedIncrementalRemoval (8)", "status: enabled", "10000008 is blocked",
            ]
        )
        printed = []
        _ = try await system.send(.accountData(.setDirectoryEnabled(identifier: LargeDirectory.identifier, false)))
        for line in ["full 10", "status", "ring 10000008", "full many"] { await app.terminal.perform(line) }
        #expect(
            printed == [
                "error: extensionDisabled (6)", "status: disabled", "10000008 rings as 10000008",
                "error: many is no number of entries; type one from 0 to 10000000.",
            ]
        )
        await system.close()
    }
}
