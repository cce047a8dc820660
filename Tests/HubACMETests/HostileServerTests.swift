import Foundation
import HubEngine
import HubTestSupport
import Testing

@testable import HubACME

@Suite(.serialized)
struct `An ACME server that sends anything` {
    private let folder: TemporaryFolder
    private let client: TestClient
    private let paths = EventInbox<String>()

    init() throws {
        folder = try TemporaryFolder()
        client = TestClient(in: folder)
    }

    /// Starts a client of a server that answers each path as it is told; `BASE` in an answer is the server's URL.
    private func start(_ answers: [String: String]) async throws -> TestListener {
        let (certificate, key) = try await TLSContext.makeFiles(in: folder)
        let port = try FreePort.find()
        let paths = paths
        let server = try TestListener(port: port, context: { TLSContext.make(certificate: certificate, key: key) }) {
            connection in
            let request = Self.request(connection)
            let path = request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            paths.add(path)
            let answer = answers[path] ?? "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"
            connection.write(Array(answer.replacing("BASE", with: "https://localhost:\(port)").utf8))
        }
        try client.start("https://localhost:\(port)/dir", authority: certificate)
        return server
    }

    private static func request(_ connection: TestListener.Connection) -> String {
        var text = ""
        while true {
            let more = connection.read()
            guard !more.isEmpty else { return text }
            text += String(decoding: more, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<head.lowerBound].split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
            let wanted = length.flatMap { Int($0.dropFirst(16)) } ?? 0
            if text[head.upperBound...].utf8.count >= wanted { return text }
        }
    }

    private static func answer(_ body: String, status: String = "200 OK", headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nReplay-Nonce: abc\r\n\(headers)Connection: close\r\n\r\n\(body)"
    }

    private static let directory = answer(
        #"{"newNonce": "BASE/nonce", "newAccount": "BASE/account", "newOrder": "BASE/order"}"#
    )
    private static let account = answer("{}", status: "201 Created", headers: "Location: BASE/account/1\r\n")

    private static func order(_ authorizations: String = #"["BASE/authz"]"#) -> String {
        let body = #"{"status": "pending", "authorizations": \#(authorizations), "finalize": "BASE/finalize"}"#
        return answer(body, status: "201 Created", headers: "Location: BASE/order/1\r\n")
    }

    /// Directories that cannot be used, with words of the sentence about each.
    private static let badDirectories: [(what: String, answer: String, words: String)] = [
        ("a body without end", answer(String(repeating: "x", count: 2 << 20)), "an answer of more than 1 MiB"),
        (
            "headers without end",
            answer("", headers: String(repeating: "A: \(String(repeating: "x", count: 900))\r\n", count: 90)),
            "an answer of more than 1 MiB"
        ),
        ("something else", answer("<html>"), "something else than a directory"),
        ("deep JSON", answer(String(repeating: "[", count: 100_000)), "something else than a directory"),
        (
            "another type", answer(#"{"newNonce": 1, "newAccount": [], "newOrder": null}"#),
            "something else than a directory"
        ),
        (
            "http",
            answer(#"{"newNonce": "http://ca.example.org/n", "newAccount": "https://a/a", "newOrder": "https://a/o"}"#),
            "something else than a directory"
        ),
        ("a redirect to itself", answer("", status: "302 Found", headers: "Location: BASE/dir\r\n"), "redirects to"),
        ("a fault", answer("", status: "500 Oops"), "has a fault of its own (HTTP status 500)"),
        (
            "a limit", answer("", status: "429 Slow", headers: "Retry-After: 9223372036854775807\r\n"),
            "has a limit that is reached"
        ),
        ("no HTTP", "\u{0}\u{1}\u{2}", "cannot be reached"),
    ]

    @Test(arguments: badDirectories.map(\.what))
    func `has its directory refused with a sentence`(what: String) async throws {
        let (_, answer, words) = try #require(Self.badDirectories.first { $0.what == what })
        let server = try await start(["/dir": answer])
        #expect(try await client.failure().contains(words))
        // A week is the longest.
        let next = try #require(client.status?.nextAttempt)
        #expect(next <= client.clock.date + .seconds(7 * 86_400 + 1))
        withExtendedLifetime(server) {}
    }

    @Test func `is given up where it sends no nonce`() async throws {
        let server = try await start([
            "/dir": Self.directory, "/nonce": "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        ])
        #expect(try await client.failure().contains("sends no usable Replay-Nonce"))
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [
        (#"["http://ca.example.org/b"]"#, "something else than an order"), (#""x""#, "something else than an order"),
        (#"["BASE/other"]"#, "wants a proof of \"other.example.org\", which was not ordered"),
        (#"["BASE/none"]"#, "offers for calls.example.org none of the challenges"),
    ])
    func `is not asked for a proof of other names`(authorizations: String, sentence: String) async throws {
        let challenge = #"{"type": "http-01", "url": "BASE/c", "token": "../../etc/passwd"}"#
        let server = try await start([
            "/dir": Self.directory, "/nonce": Self.answer(""), "/account": Self.account,
            "/order": Self.order(authorizations),
            "/other": Self.answer(
                #"{"status": "pending", "identifier": {"value": "other.example.org"}, "challenges": []}"#
            ),
            "/none": Self.answer(
                #"{"status": "pending", "identifier": {"value": "calls.example.org"}, "challenges": [\#(challenge)]}"#
            ),
        ])
        #expect(try await client.failure().contains(sentence))
        withExtendedLifetime(server) {}
    }

    @Test func `is given up when it never finishes, and its order is taken up again`() async throws {
        let challenge = #"{"type": "http-01", "url": "BASE/challenge", "token": "abc", "status": "pending"}"#
        let pending =
            #"{"status": "pending", "identifier": {"value": "calls.example.org"}, "challenges": [\#(challenge)]}"#
        let server = try await start([
            "/dir": Self.directory, "/nonce": Self.answer(""), "/account": Self.account, "/order": Self.order(),
            "/authz": Self.answer(pending), "/challenge": Self.answer("{}"),
            "/order/1": Self.answer(
                #"{"status": "valid", "authorizations": [], "finalize": "BASE/f", "certificate": "BASE/certificate"}"#
            ),
            "/certificate": Self.answer("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
        ])
        try await client.lines.next("order") { $0.contains("is ordered") }
        try await blocking { [challenges = client.challenges] in
            while challenges.httpAnswer(forToken: "abc") == nil { sched_yield() }
        }
        client.clock.advance(by: .seconds(901))
        #expect(try await client.failure().contains("has not finished its validation of a domain in time"))
        #expect(client.challenges.httpAnswer(forToken: "abc") == nil)
        #expect(try client.file("state.json").contains("/order/1"))
        client.clock.advance(by: .seconds(61))
        #expect(try await client.failure().contains("is no certificate in PEM"))
        #expect(paths.all.filter { $0 == "/order" }.count == 1)
        #expect(paths.all.filter { $0 == "/account" }.count == 1)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [5, -40])
    func `has a certificate of another time laid to the clock`(days: Int) async throws {
        let files = try await TLSContext.makeFiles(in: folder)
        try TLSContext.move(files, byDays: days)
        let server = try TestListener(
            context: { TLSContext.make(certificate: files.certificate, key: files.key) },
            serve: { _ in }
        )
        try client.start("https://localhost:\(server.port)/dir", authority: files.certificate)
        #expect(try await client.failure().contains("is not valid at this machine's time, 20"))
    }

    @Test func `is not used with a certificate of an authority that is not trusted`() async throws {
        let files = try await TLSContext.makeFiles(in: folder)
        let elsewhere = try TemporaryFolder()
        let (foreign, _) = try await TLSContext.makeFiles(in: elsewhere)
        let server = try TestListener(
            context: { TLSContext.make(certificate: files.certificate, key: files.key) },
            serve: { _ in }
        )
        try client.start("https://localhost:\(server.port)/dir", authority: foreign)
        #expect(try await client.failure().contains("is not trusted"))
        withExtendedLifetime(elsewhere) {}
    }

    @Test func `is named where it cannot be reached or looked up`() async throws {
        let (certificate, _) = try await TLSContext.makeFiles(in: folder)
        try client.start("https://localhost:\(FreePort.find())/dir", authority: certificate)
        #expect(try await client.failure().contains("cannot be reached"))
        let other = TestClient(in: try TemporaryFolder())
        try other.start("https://acme.invalid/dir", authority: certificate)
        #expect(try await other.failure().contains("cannot be looked up; check this machine's network and DNS"))
    }
}
