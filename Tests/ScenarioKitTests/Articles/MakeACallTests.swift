import HubClient
import HubTestSupport
import ScenarioKit
import Testing

/// Calls a handle, sends Opus packets of 20 ms, hangs up, and returns the last snapshot of the call.
func call(_ handle: Handle, at url: String, sending packets: [[UInt8]]) async throws -> CallSnapshot? {
    let phone = try await HubClient.connect(to: url, account: "alice")
    try await phone.start(handle)
    var hasSent = false
    for await case .notification(.callChanged(let call)) in phone.events {
        if call.hasEnded {
            await phone.close()
            return call
        }
        guard call.state == .connected, !hasSent else { continue }
        hasSent = true
        for packet in packets {
            phone.sendAudio(packet, durationInSamples: 960)
            try await Task.sleep(for: .milliseconds(20))
        }
        // The other party may have hung up meanwhile.
        try? await phone.end(call.uuid)
    }
    return nil
}

/// Answers all calls of Bob until the client ends, and passes received Opus packets to `play`.
func answerCalls(at url: String, play: @escaping @Sendable ([UInt8]) -> Void) async throws {
    var options = ClientOptions()
    options.deviceName = "Desk phone"
    options.onAudio = { play($0.payload) }
    let phone = try await HubClient.connect(to: url, account: "bob", options: options)
    for await event in phone.events {
        switch event {
        case .notification(.callChanged(let call)) where call.state == .ringing:
            // Another device may have answered meanwhile.
            try? await phone.answer(call.uuid)
        case .notification(.callChanged(let call)) where call.hasEnded:
            await phone.close()
        default: break
        }
    }
}

/// The code of the article "Make a call".
struct MakeACallTests {
    private let process: RealHub
    private var hub: String { process.address.description }

    init() throws { process = try RealHub(starting: Program.path) }

    @Test func `one phone calls and another answers`() async throws {
        let packets = try TestTone.packets(hertz: 1_000, count: 25)
        let (played, sink) = AsyncStream.makeStream(of: [UInt8].self)
        let hub = hub
        async let answering: Void = answerCalls(at: hub) { sink.yield($0) }
        var ended: CallSnapshot?
        // Bob may not be signed in yet at the first attempt.
        for _ in 0..<100 where ended?.hasConnected != true {
            ended = try await call(.generic("bob"), at: hub, sending: packets)
        }
        #expect(ended?.hasConnected == true)
        try await answering
        sink.finish()
        // Those that were sent before the session was active are not played.
        #expect(await played.contains { packets.contains($0) })
    }

    @Test func `a refused request says why`() async throws {
        let phone = try await HubClient.connect(to: hub, account: "alice")
        var message: String?
        func show(_ text: String) { message = text }
        do {
            try await phone.answer(.random())
        } catch .refused(let error) {
            show(error.message)
        }
        #expect(message?.isEmpty == false)
    }
}
