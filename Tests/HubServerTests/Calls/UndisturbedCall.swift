import HubClient
import HubEngine
import HubTestSupport
import Testing

/// The isolation of a call from another client's actions on the same hub.
///
/// One after the other, and in `make test` alone: sound is measured in real time.
@Suite(.serialized) struct DisturbanceTests {}

/// A background call with constant audio of both parties, all of which must arrive.
struct UndisturbedCall {
    private let dora: TestPhone
    private let emil: TestPhone
    private let doras: NumberedAudioSender
    private let emils: NumberedAudioSender
    private let dorasSSRC: UInt32
    private let emilsSSRC: UInt32
    private let begin = Instant.monotonic
    private let delays = SchedulingDelayMonitor()

    /// A reference call on a hub of its own: delays in it are caused by the machine.
    private static let control = Task { try await UndisturbedCall() }

    /// One client thread for all background calls: a test's own clients do not delay them.
    private static let loop = ClientLoop(name: "background")

    init(_ hub: TestHub) async throws {
        _ = try await Self.control.value
        try await self.init(url: "ws://127.0.0.1:\(hub.port)/v1", trusting: nil)
    }

    /// The same over TLS.
    init(_ hub: TestHub, trusting certificate: TestCertificate) async throws {
        _ = try await Self.control.value
        try await self.init(url: "wss://127.0.0.1:\(hub.port)/v1", trusting: certificate)
    }

    private init() async throws {
        // Kept for as long as the process lives.
        let hub = try TestHub()
        _ = Unmanaged.passRetained(hub)
        try await self.init(url: "ws://127.0.0.1:\(hub.port)/v1", trusting: nil)
        // It is the measure of the others.
        _ = delays.end()
    }

    private init(url: String, trusting certificate: TestCertificate?) async throws {
        var options = ClientOptions()
        options.loop = Self.loop
        options.trustedCertificatesFile = certificate?.file
        // What is held back in a stall of the machine would be missing for no fault of the hub's.
        options.timing.maximumUnreportedPackets = .max
        options.timing.lostAfterIdle = .seconds(30)
        options.timing.secondConnectionAfterIdle = .seconds(30)
        let chosen = options
        dora = try await TestPhone.connect(to: url, "dora") { $0 = chosen }
        emil = try await TestPhone.connect(to: url, "emil") { $0 = chosen }
        try await dora.client.start(.generic("emil"))
        dorasSSRC = try await dora.activation().ssrc
        try await emil.client.answer(try await emil.ringing().uuid)
        emilsSSRC = try await emil.activation().ssrc
        try await dora.call("is connected") { $0.state == .connected }
        (doras, emils) = (NumberedAudioSender(dora.client), NumberedAudioSender(emil.client))
    }

    /// Ends the call and compares the audio received with the audio sent: complete, once, in order, in time.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await doras.reaches(25)
        await emils.reaches(25)
        let (saidByDora, saidByEmil) = (doras.stop(), emils.stop())
        for phone in [dora, emil, dora] { try await phone.settle() }
        let forTheMachine = max(try await Self.control.value.longestDelay(since: begin), delays.end())
        for (phone, said, ssrc) in [(emil, saidByDora, dorasSSRC), (dora, saidByEmil, emilsSSRC)] {
            #expect(said.allSatisfy { $0.outcome == .sent }, sourceLocation: sourceLocation)
            let recording = Recording(phone.takeReceivedAudio(), of: said)
            recording.expectSound(ssrc: ssrc, sourceLocation: sourceLocation)
            #expect(recording.numbers.first == 0, sourceLocation: sourceLocation)
            #expect(recording.missing.isEmpty, "nothing is missing", sourceLocation: sourceLocation)
            // What waits in the hub for 120 ms is dropped, and would be missing; the rest is the two clients' and the
            // browsers' beside them.
            let limit = Duration.milliseconds(250) + max(forTheMachine, said.longestPause) * 2
            #expect(recording.longestDelay < limit, "nothing is late", sourceLocation: sourceLocation)
            let calls = try await phone.client.calls()
            #expect(calls.map(\.state) == [.connected], sourceLocation: sourceLocation)
            let wasLost = phone.told.contains { if case .connectionLost = $0 { true } else { false } }
            #expect(!wasLost, sourceLocation: sourceLocation)
        }
        for phone in [dora, emil] { await phone.client.close() }
    }

    /// Returns the longest delay of a frame sent since an instant; a frame not yet received counts up to now.
    private func longestDelay(since instant: Instant) -> Duration {
        let arrivals = Dictionary(
            emil.heard.compactMap { packet in
                NumberedAudioSender.number(in: packet.payload).map { ($0, packet.arrival) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        let now = Instant.monotonic
        return doras.frames.enumerated().filter { $0.element.instant >= instant }.map { number, frame in
            (arrivals[number] ?? now).since(frame.instant)
        }.max() ?? .zero
    }
}
