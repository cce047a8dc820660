import Foundation
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// The outcomes of push messages, by the responses of a push service over HTTPS.
struct PushSenderTests {
    /// Outcomes, from the sender's thread.
    private final class Outcomes: @unchecked Sendable {
        private let condition = NSCondition()
        private var outcomes: [String: PushOutcome] = [:]

        func put(_ name: String, _ outcome: PushOutcome) {
            condition.withLock {
                outcomes[name] = outcome
                condition.broadcast()
            }
        }

        func wait(for name: String) -> PushOutcome? {
            let limit = Date(timeIntervalSinceNow: 30)
            return condition.withLock {
                while outcomes[name] == nil, condition.wait(until: limit) {}
                return outcomes[name]
            }
        }

        var count: Int { condition.withLock { outcomes.count } }
    }

    private final class Fixture: @unchecked Sendable {
        private let folder: TemporaryFolder
        let peer: FakePushService
        let sender: PushSender
        let lines = LogLines()
        let outcomes = Outcomes()

        init(named name: String = "localhost", isTrusted: Bool = true) throws {
            folder = try TemporaryFolder()
            peer = try FakePushService(in: folder.url, named: name)
            var settings = LogSettings()
            settings.level = .debug
            settings.write = { [lines] in lines.write($0) }
            sender = try PushSender(
                certificateAuthority: isTrusted ? peer.certificate : nil,
                log: HubLog(settings: settings)
            )
        }

        deinit {
            sender.stop()
        }

        @discardableResult
        func send(_ name: String, for seconds: Double = 20) -> PushSender.SubmissionID {
            let post = OutgoingPushMessage(
                host: "localhost",
                port: UInt16(clamping: peer.port),
                path: "/" + name,
                authorization: "vapid t=none, k=none",
                topic: "topic",
                expiresAt: sender.now + .milliseconds(Int(seconds * 1_000)),
                body: [UInt8](repeating: 7, count: 1_127)
            )
            return sender.send(post) { [outcomes] in outcomes.put(name, $0) }
        }
    }

    @Test func `the service's status determines the outcome of a push, and a redirect is not followed`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let expected: [String: PushOutcome] = [
                "bob": .accepted, "gone": .gone, "missing": .gone, "refused": .refused, "moved": .refused,
                "busy": .accepted,
            ]
            for name in expected.keys { fixture.send(name) }
            for (name, outcome) in expected { #expect(fixture.outcomes.wait(for: name) == outcome, "\(name)") }
            for _ in 0..<expected.count + 1 { try fixture.peer.next("message") }
            let paths = fixture.peer.all.compactMap { $0["path"] as? String }.sorted()
            #expect(paths == ["/bob", "/busy", "/busy", "/gone", "/missing", "/moved", "/refused"])
            #expect(fixture.sender.statistics.outcomes == [.accepted: 2, .gone: 2, .refused: 2])
            #expect(fixture.sender.statistics.waiting == 0)
            let line = try #require(fixture.lines.wait(for: "result=accepted"))
            #expect(line.contains("service=localhost:\(fixture.peer.port)"))
        }
    }

    @Test(arguments: [("localhost", false), ("elsewhere", true)])
    func `a service with an untrusted certificate, or another host's, receives nothing`(name: String, isTrusted: Bool)
        async throws
    {
        try await blocking {
            let fixture = try Fixture(named: name, isTrusted: isTrusted)
            fixture.send("bob", for: 8)
            #expect(fixture.outcomes.wait(for: "bob") == .failed)
            #expect(fixture.peer.all.count { $0["path"] != nil } == 0)
        }
    }

    @Test func `a push is retried until it expires or is cancelled`() async throws {
        try await blocking {
            let fixture = try Fixture()
            fixture.send("broken1", for: 10)
            let submission = fixture.send("broken2", for: 60)
            fixture.send("late", for: -1)
            #expect(fixture.outcomes.wait(for: "late") == .late)
            try fixture.peer.next("the first try") { $0["path"] as? String == "/broken2" }
            try fixture.peer.next("the second") { $0["path"] as? String == "/broken2" }
            fixture.sender.withdraw(submission)
            #expect(fixture.outcomes.wait(for: "broken2") == .withdrawn)
            #expect(fixture.outcomes.wait(for: "broken1") == .failed)
        }
    }

    @Test func `a hanging service times out, and excess pushes are dropped at once`() async throws {
        try await blocking {
            let fixture = try Fixture()
            let began = ContinuousClock.now
            fixture.send("hang0", for: 5)
            try fixture.peer.next("the message") { $0["path"] as? String == "/hang0" }
            for number in 1..<1_100 { fixture.send("hang\(number)", for: 5) }
            #expect(fixture.outcomes.wait(for: "hang1099") == .dropped)
            #expect(fixture.outcomes.wait(for: "hang0") == .failed)
            #expect((9.5...20).contains((.now - began) / .seconds(1)), "given up after ten seconds")
            #expect(fixture.outcomes.wait(for: "hang999") == .late)
            #expect(fixture.sender.statistics.outcomes[.dropped] == 100)
        }
    }

    @Test func `a file without certificates is refused with a sentence`() {
        #expect(
            throws: TransportError.certificate("/dev/null cannot be read as certificates in PEM; name a file of such.")
        ) {
            try PushSender(certificateAuthority: "/dev/null", log: HubLog(settings: LogSettings()))
        }
    }
}
