import CallKit
import CallSystem
import Foundation
import HubEngine
import HubMedia
import HubWire
import Testing

/// The name, icon and ringtone of an app on the other screens of its account.
struct AppearanceTests {
    private let hub: SimulatedHub
    private let phone: CallSystem
    private let folder: URL

    init() async throws {
        hub = try SimulatedHub()
        phone = hub.device("alice")
        folder = FileManager.default.temporaryDirectory.appending(path: "callhub-ringtone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func app(named name: String = "app", configure: (CXProviderConfiguration) -> Void) async -> TestApp {
        var settings = CallSystemSettings()
        settings.soundFolder = folder.path
        let configuration = CXProviderConfiguration(localizedName: "Monkey Call")
        configure(configuration)
        let app = TestApp(hub, on: hub.device("alice", named: name, settings: settings), configuration)
        await hub.settle()
        return app
    }

    private func listed() async throws -> [ListedProvider] {
        guard case .providers(let list) = try await phone.send(.appearance(.list)) else { return [] }
        return list
    }

    private func media(_ hash: String?) async throws -> [UInt8] {
        guard case .media(let bytes) = try await phone.send(.appearance(.media(hash: hash ?? ""))) else { return [] }
        return bytes
    }

    private func write(_ name: String, seconds: Double, hertz: Double = 500) throws {
        let sink = try openAudioSink(folder.appending(path: name).path)
        try sink.append((0..<Int(seconds * 48_000)).map { Int16(12_000 * sin(Double($0) * hertz * 2 * .pi / 48_000)) })
        try sink.close()
    }

    private static let icon = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
    )

    @Test func `name, icon and a short ringtone reach the account's other devices, and changes follow`()
        async throws
    {
        try write("monkeys.opus", seconds: 1)
        let app = await app {
            $0.iconTemplateImageData = Self.icon
            $0.ringtoneSound = "monkeys.opus"
        }
        let first = try #require(try await listed().first)
        #expect(first.name == "Monkey Call" && first.ringtoneSound == "monkeys.opus")
        #expect(try await media(first.iconHash) == [UInt8](try #require(Self.icon)))
        let file = try Data(contentsOf: folder.appending(path: "monkeys.opus"))
        #expect(try await media(first.ringtoneHash) == [UInt8](file))
        app.provider.configuration.iconTemplateImageData = nil
        app.provider.configuration.ringtoneSound = nil
        await hub.settle()
        let second = try #require(try await listed().first)
        #expect(second.iconHash == nil && second.ringtoneHash == nil && second.name == "Monkey Call")
        #expect(app.system.warnings.isEmpty)
    }

    @Test func `a long file is sent as its first seconds in Opus, and stands in for one in Apple's form`() async throws
    {
        try write("Ringtone.wav", seconds: 20)
        _ = await app { $0.ringtoneSound = "Ringtone.caf" }
        let hash = try #require(try await listed().first?.ringtoneHash)
        let bytes = try await media(hash)
        let sound = try bytes.withUnsafeBytes { bytes throws(MediaError) in try DecodedSound(bytes, name: "ringtone") }
        #expect((14.5...15.5).contains(Double(sound.samples.count) / 48_000))
        let second = sound.samples[48_000..<96_000].map { Float($0) / 32_768 }
        let (own, other) = second.withUnsafeBufferPointer { second in
            let measure = { Goertzel(hertz: $0, samplesPerSecond: 48_000).amplitude(in: second) }
            return (measure(500), measure(900))
        }
        #expect(own > 0.2 && other < 0.02)
    }

    @Test func `they are set anew in a new session`() async throws {
        let app = await app { $0.iconTemplateImageData = Self.icon }
        await hub.restart()
        #expect(try await listed().first?.iconHash != nil)
        #expect(app.system.warnings.isEmpty)
    }

    @Test func `what is no icon or no ringtone is a warning, and a ringtone without a file none`() async throws {
        try Data("no sound".utf8).write(to: folder.appending(path: "noise.wav"))
        let silent = await app {
            $0.iconTemplateImageData = Data()
            $0.ringtoneSound = "missing.caf"
        }
        #expect(silent.system.warnings.isEmpty)
        let wrong = await app(named: "wrong") {
            $0.iconTemplateImageData = Data("no image".utf8)
            $0.ringtoneSound = "noise.wav"
        }
        #expect(wrong.system.warnings.count == 2)
        #expect(wrong.system.warnings.contains { $0.contains("must be a PNG image of at most 12288 bytes") })
        #expect(wrong.system.warnings.contains { $0.contains("noise.wav is neither a WAV nor an Ogg Opus file") })
        let listed = try await listed()
        #expect(listed.count == 2 && listed.allSatisfy { $0.iconHash == nil && $0.ringtoneHash == nil })
    }

    @Test func `a name with a path is no file of the app's`() async throws {
        try write("outside.opus", seconds: 1)
        _ = await app { $0.ringtoneSound = "../\(folder.lastPathComponent)/outside.opus" }
        #expect(try await listed().first?.ringtoneHash == nil)
    }
}
