import Foundation
import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

/// The phone in ten lines: the code between the marks stands in the documents, with another address, and is run here.
struct ClientSampleTests {
    private let hub: TestHub
    private var url: String { "ws://127.0.0.1:\(hub.port)/v1" }

    init() throws { hub = try TestHub() }

    /// Plays the sample until it leaves; `onAudio` is called when it sends audio, since its session is active.
    private func playSample(onAudio: @Sendable () -> Void) async throws {
        var opusPacket: [UInt8] {
            onAudio()
            return [0xF8, 0xFF, 0xFE]
        }
        // BEGIN
        let phone = try await HubClient.connect(to: url, account: "alice")
        try await phone.start(.generic("echo"))
        for await event in phone.events {
            guard case .notification(let notification) = event else { continue }
            switch notification {
            case .didActivateAudioSession: phone.sendAudio(opusPacket, durationInSamples: 960)
            case .callChanged(let call) where call.state == .ringing: try? await phone.answer(call.uuid)
            case .callChanged(let call) where call.hasEnded: await phone.close()
            default: break
            }
        }
        // END
    }

    @Test func `the sample calls, sends audio, answers another call, and leaves when that ends`() async throws {
        let bob = try await hub.phone("bob")
        let (active, sink) = AsyncStream.makeStream(of: Void.self)
        async let sample: Void = playSample { sink.yield() }
        for await _ in active { break }
        let call = try await bob.client.start(.generic("alice"))
        try await bob.call("is connected") { $0.uuid == call && $0.state == .connected }
        try await bob.client.end(call)
        try await sample
    }

    @Test(arguments: ["docs/libraries.md", "Sources/HubClient/HubClient.swift"])
    func `a document shows the code that is run`(_ path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let sample = try #require(source.firstMatch(of: /\/\/ BEGIN\n(?s)(.*?)\n *\/\/ END/)).1
        let code = sample.replacing("to: url", with: "to: \"ws://localhost:8080/v1\"")
            .split(separator: "\n").map { $0.dropFirst(8) }
        let document = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .replacing(/(?m)^\/\/\/ ?/, with: "")
        #expect(document.contains("```swift\nimport HubClient\n\n\(code.joined(separator: "\n"))\n```\n"))
    }
}
