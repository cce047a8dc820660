import Foundation
import HubClient
import HubCrypto
import HubEngine
import HubTestSupport
import HubWire
import Testing

/// Tests of `callhub operate` at a program on CallKit: the sample MonkeyCall, headless, with a device and a token.
struct OperatedAppTests {
    private let hub: OperatedHub
    private let app: Program
    private let root: TestPhone

    init() async throws {
        let hub = try await OperatedHub("token")
        self.hub = hub
        let token = try hub.folder.write(hub.token(of: "bob", seconds: 600), to: "program.jwt")
        app = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: "MonkeyCall").path(),
            in: hub.folder,
            isTypedAt: true,
            environment: ["CALLHUB_URL": hub.address, "CALLHUB_TOKEN_FILE": token, "CALLHUB_DEVICE": "monkey"],
            withErrors: true
        )
        try await app.line(with: "ready")
        root = try await Self.phone("root", at: hub)
    }

    private static func phone(_ account: String, at hub: OperatedHub) async throws -> TestPhone {
        let token = hub.token(of: account, seconds: 600)
        return try await TestPhone.connect(port: hub.port, account) { $0.token = token }
    }

    /// Runs `callhub operate` with typed lines, whose token permits nothing else.
    private func operate(_ lines: String...) async throws -> CommandRun {
        let token = try hub.folder.write(hub.token(of: "bob", seconds: 600, [.operate]), to: "operator.jwt")
        let words = ["operate", "--device", "monkey", "--token-file", token, "--hub", hub.address, "--json"]
        return try await CommandRun(words, in: hub.folder, input: lines.joined(separator: "\n"), endsInput: true)
    }

    /// Waits until the app has printed a line so many times.
    private func app(_ line: String, times: Int) async throws {
        let counter = Counter(line, times)
        try await app.line("\(line), \(times) times") { counter.counts($0) }
    }

    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private let line: String
        private var left: Int

        init(_ line: String, _ times: Int) { (self.line, left) = (line, times) }

        func counts(_ printed: Substring) -> Bool {
            lock.withLock {
                if printed == line { left -= 1 }
                return left <= 0
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a call of a program on CallKit is answered, held, resumed and ended by typed commands`() async throws {
        try await root.client.start(.generic("bob"))
        try await app.line(with: "root: ringing")
        let answered = try await operate("calls", "answer")
        #expect(answered.code == 0, "\(answered.output)")
        for part in [#""device":"monkey""#, #""choices":["accept""#] { #expect(answered.output.contains(part)) }
        try await app.line(with: "audio: started")
        try await app("root: connected", times: 1)
        _ = try await root.call("is connected") { $0.state == .connected }
        #expect(try await operate("hold").code == 0)
        try await app.line(with: "root: held")
        _ = try await root.call("is held by the device") { $0.remoteIsOnHold }
        #expect(try await operate("resume").code == 0)
        try await app("root: connected", times: 2)
        _ = try await root.call("is held no more") { !$0.remoteIsOnHold }
        #expect(try await operate("end").code == 0)
        try await app.line(with: "root: ended")
        _ = try await root.call("has ended") { $0.hasEnded }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a second call of a program is taken by End and Accept, a third by Hold and Accept, and both are swapped`()
        async throws
    {
        #expect(try await operate("call root").code == 0)
        try await app.line(with: "root: calling")
        try await root.client.answer(root.ringing().uuid)
        try await app.line(with: "root: connected")
        let carol = try await Self.phone("carol", at: hub)
        try await carol.client.start(.generic("bob"))
        try await app.line(with: "carol: ringing")
        let ended = try await operate("choose endAndAccept")
        #expect(ended.code == 0, "\(ended.output)")
        try await app.line(with: "root: ended")
        try await app("carol: connected", times: 1)
        _ = try await root.call("has ended") { $0.hasEnded }
        _ = try await carol.call("is connected") { $0.state == .connected }

        let dave = try await Self.phone("dave", at: hub)
        try await dave.client.start(.generic("bob"))
        try await app.line(with: "dave: ringing")
        #expect(try await operate("choose holdAndAccept").code == 0)
        try await app.line(with: "carol: held")
        _ = try await carol.call("is held") { $0.remoteIsOnHold }
        _ = try await dave.call("is connected") { $0.state == .connected }
        #expect(try await operate("swap").code == 0)
        try await app.line(with: "dave: held")
        try await app("carol: connected", times: 2)
        _ = try await dave.call("is held") { $0.remoteIsOnHold }
        #expect(try await operate("end all").code == 0)
        for phone in [carol, dave] { _ = try await phone.call("has ended") { $0.hasEnded } }
        for name in ["carol", "dave"] { try await app.line(with: "\(name): ended") }
    }

    @Test(.timeLimit(.minutes(2))) func `a call of a program is declined, and what the app cannot do is refused`()
        async throws
    {
        try await root.client.start(.generic("bob"))
        try await app.line(with: "root: ringing")
        #expect(try await operate("hold").code == 3)
        #expect(try await operate("decline").code == 0)
        try await app.line(with: "root: ended")
        _ = try await root.call("has ended") { $0.hasEnded }
        #expect(!app.printed.contains("audio: started"))
    }
}
