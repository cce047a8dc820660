import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubMedia
import HubStore
import HubTestSupport
import HubWire
import Testing

/// `callhub music`, and the music on a real hub.
struct MusicCommandTests {
    private let hub: OperatedHub

    init() async throws { hub = try await OperatedHub("accounts") }

    /// Writes a tone as a WAV file; returns its path.
    private func tone(_ hertz: Double, _ name: String, seconds: Int = 1) throws -> String {
        let path = hub.folder.path + "/" + name
        var tone = Tone(hertz: hertz)
        var writer = try WAVWriter(path: path)
        try writer.append(tone.next(seconds * 48_000))
        try writer.close()
        return path
    }

    private func music(_ words: String...) async throws -> CommandRun {
        try await CommandRun(["music"] + words + ["--data", OperatedHub.data(hub.folder)], in: hub.folder)
    }

    @Test func `music is added, listed and removed, for the hub and for an account (CH-09)`() async throws {
        let (first, second) = (try tone(500, "a.wav", seconds: 61), try tone(600, "b.wav"))
        var run = try await music("add", first, second, "--account", "bob")
        let added = "Added a.wav: 1:01, 0.3 MB.\nAdded b.wav: 0:01, 0.0 MB.\n"
        #expect(run.code == 0 && run.output == added, "\(run)")
        run = try await music("list", "--account", "bob", "--json")
        struct Listed: Decodable {
            let id: Int64
            let name: String
            let seconds: Double
            let bytes: Int
        }
        var listed = try JSONDecoder().decode([Listed].self, from: Data(run.output.utf8))
        #expect(listed.map(\.name) == ["a.wav", "b.wav"] && listed.map(\.seconds) == [61, 1])
        run = try await music("list")
        #expect(run.code == 0 && run.output.isEmpty && run.errors.contains("There is no music"))
        run = try await music("remove", String(listed[0].id), "--account", "bob")
        #expect(run.code == 0 && run.output == "The track \(listed[0].id) is removed.\n")
        run = try await music("list", "--account", "bob")
        #expect(run.output.contains("b.wav") && !run.output.contains("a.wav"))
        #expect(try await music("add", second).code == 0)
        run = try await music("list", "--json")
        listed = try JSONDecoder().decode([Listed].self, from: Data(run.output.utf8))
        #expect(listed.map(\.name) == ["b.wav"])
    }

    @Test func `wrong input gives one sentence, and changes nothing (CH-09)`() async throws {
        let good = try tone(500, "a.wav")
        let text = try hub.folder.write("no sound", to: "text.wav")
        for (words, code, sentence) in [
            (["add", text], 3, "text.wav"), (["add", "/nowhere/x.ogg"], 3, "/nowhere/x.ogg"),
            (["add", "x.mp3"], 3, "must be .wav, .ogg or .opus"), (["add", good, "--account", "eve"], 3, "no account"),
            (["add"], 1, "needs a FILE"), (["list", "--account", "eve"], 3, "no account"),
            (["remove", "1"], 3, "no track 1"), (["remove", "x"], 1, "not the ID"), (["remove", "-1"], 1, "-1"),
            (["remove", "99999999999999999999"], 1, "not the ID"), (["remove"], 1, "ID"), (["play"], 1, "play"),
        ] as [([String], Int32, String)] {
            let run = try await CommandRun(
                ["music"] + words + ["--data", OperatedHub.data(hub.folder)],
                in: hub.folder
            )
            #expect(run.code == code && run.errors.contains(sentence), "\(words): \(run.code) \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty, "\(words): \(run.errors)")
        }
        #expect(try hub.store().holdMusic(of: nil) == [])
    }

    @Test func `who is held hears the holder's music, which the running hub reads (CH-09)`() async throws {
        #expect(try await music("add", tone(500, "hub.wav", seconds: 20)).code == 0)
        let alice = try await phone("root")
        let bob = try await phone("bob")
        _ = try await bob.client.send(.accountData(.setSettings(.init(holdAudio: .music))))
        try await alice.client.start(.generic("bob"))
        let incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        try await alice.call("is connected") { $0.state == .connected }
        for (hertz, file) in [(500.0, nil), (800, "own.wav"), (800, nil)] {
            if let file {
                #expect(try await music("add", tone(hertz, file, seconds: 20), "--account", "bob").code == 0)
            }
            try await bob.client.setHeld(incoming, true)
            try await alice.call("is held") { $0.remoteIsOnHold }
            let first = try await alice.hears("music") { _ in true }.sequenceNumber
            try await alice.hears("more of it") { $0.sequenceNumber &- first >= 25 }
            let packets = alice.takeReceivedAudio()
            try await bob.client.setHeld(incoming, false)
            try await alice.call("is resumed") { !$0.remoteIsOnHold }
            try await alice.settle()
            _ = alice.takeReceivedAudio()
            let heard = try #require(try TestTone.heard(in: packets))
            #expect(abs(heard - hertz) < 10)
        }
        #expect(alice.strays.isEmpty)
    }

    private func phone(_ account: String) async throws -> TestPhone {
        try await TestPhone.connect(port: hub.port, account) { $0.password = "\(account)-secret" }
    }
}
