import CallKit
import Foundation
import ScenarioApps
import ScenarioKit
import Testing

@testable import Hotline

/// The example of the documents: classes of an app as a tutorial has them, in a scenario.
struct ExampleTests {
    @Test func `the app is held, mutes itself, and hears who speaks`() async throws {
        let app = TestedApp { device in
            let manager = CallManager {}
            let provider = ProviderDelegate(manager: manager) {}
            var commands = AppCommands()
            commands.start = { handle, _ in try await manager.startCall(to: handle.value) }
            commands.mute = { uuid, isMuted in
                if let call = manager.call(with: uuid) { try await manager.setMuted(call, isMuted) }
            }
            commands.keepsAlive(provider)
            return commands
        }
        let story = """
            parties alice
            party app: under test, in process
            app calls alice as A
            alice: accept A
            expect app hears alice
            app: mute A
            expect alice hears nothing
            alice: hold A
            expect app's A is muted, held by remote
            app's screen: end A
            """
        let run = try await ScenarioRunner.play(story, apps: ["app": app])
        #expect(run.verdict == .passed, "\(LadderText(run).text)")
    }

    @Test(arguments: ["docs/scenarios.md", "Sources/ScenarioKit/ScenarioKit.docc/TestYourApp.md"])
    func `the documents show the example that is a test here`(_ path: String) throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex { $0.contains("@Test func `the app is held") })
        let end = try #require(lines[begin...].firstIndex { $0 == "    }" })
        let example = lines[begin...end].map { $0.dropFirst(4) }.joined(separator: "\n")
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        #expect(try String(contentsOf: root.appending(path: path), encoding: .utf8).contains(example))
    }
}
