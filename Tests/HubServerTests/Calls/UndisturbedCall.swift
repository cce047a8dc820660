import HubClient
import HubEngine
import HubTestSupport
import Testing

/// A call in the background of a test, in which both talk all the time: whatever else happens to the hub, they hear it all.
struct UndisturbedCall {
    private let hub: TestHub
    private let dora: TestPhone
    private let emil: TestPhone
    private let doras: Talk
    private let emils: Talk
    private let dorasSSRC: UInt32
    private let emilsSSRC: UInt32

    /// One client thread for all background calls: what happens to a test's own clients does not slow them.
    private static let loop = ClientLoop(name: "background")

    init(_ hub: TestHub) async throws {
        self.hub = hub
        dora = try await hub.phone("dora") { $0.loop = Self.loop }
        emil = try await hub.phone("emil") { $0.loop = Self.loop }
        try await dora.client.start(.generic("emil"))
        dorasSSRC = try await dora.activation().ssrc
        try await emil.client.answer(try await emil.ringing().uuid)
        emilsSSRC = try await emil.activation().ssrc
        try await dora.call("is connected") { $0.state == .connected }
        (doras, emils) = (Talk(dora.client), Talk(emil.client))
    }

    /// Ends the call and holds what was heard against what was said: everything, once, in order, in time.
    func finish(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await doras.reaches(25)
        await emils.reaches(25)
        let (saidByDora, saidByEmil) = (doras.stop(), emils.stop())
        for phone in [dora, emil, dora] { try await phone.settle() }
        for (phone, said, ssrc) in [(emil, saidByDora, dorasSSRC), (dora, saidByEmil, emilsSSRC)] {
            #expect(said.allSatisfy { $0.outcome == .sent }, "nobody was stopped", sourceLocation: sourceLocation)
            let recording = Recording(phone.takeHeard(), of: said)
            recording.expectSound(ssrc: ssrc, sourceLocation: sourceLocation)
            #expect(recording.numbers.first == 0 || said.isEmpty, sourceLocation: sourceLocation)
            #expect(recording.missing.isEmpty, "nothing is missing", sourceLocation: sourceLocation)
            // A machine that stops this process for a while is forgiven that while, and debug builds are slow.
            let limit = Duration.milliseconds(200) + said.longestPause * 2
            #expect(recording.longestDelay < limit, "nothing is late", sourceLocation: sourceLocation)
            let calls = try await phone.client.calls()
            #expect(calls.map(\.state) == [.connected], sourceLocation: sourceLocation)
            #expect(!phone.told.contains { if case .connectionLost = $0 { true } else { false } })
        }
        for phone in [dora, emil] { await phone.client.close() }
    }
}
