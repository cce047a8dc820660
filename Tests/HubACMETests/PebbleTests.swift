import Foundation
import HubEngine
import HubTestSupport
import Testing

@testable import HubACME

@Suite(.serialized)
struct `A certificate of an ACME server` {
    private let folder: TemporaryFolder
    private let client: TestClient

    init() throws {
        folder = try TemporaryFolder()
        client = TestClient(in: folder)
    }

    @Test(arguments: ACMEChallengeKind.allCases)
    func `is issued after the name was proved`(kind: ACMEChallengeKind) async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: server)
        try client.start(pebble.directory, authority: pebble.authorityFile, kinds: [kind])
        let pair = try await client.certificates.next("certificate")
        #expect(pair.chain.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        try await client.lines.next("end") { $0.contains("is in use until") }
        let check = try Program(
            ["x509", "-in", client.storage.folder + "/certificate.pem", "-noout", "-checkhost", Pebble.name],
            program: "/usr/bin/openssl",
            in: folder
        )
        #expect(await check.exitCode() == 0)
        #expect(check.printed.contains("does match certificate"))
        for name in ["account.key", "certificate.pem", "state.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: client.storage.folder + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        client.stop()
        #expect(!client.challenges.hasCertificates)
        #expect(pebble.printed.contains("Attempting to validate w/ HTTP") == (kind == .http01))
    }

    @Test func `is kept over a restart, with its account, without asking the server`() async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: server)
        try client.start(pebble.directory, authority: pebble.authorityFile)
        let pair = try await client.certificates.next("certificate")
        try await client.lines.next("end") { $0.contains("is in use until") }
        client.stop()
        await pebble.exit()
        let key = try client.file("account.key")

        let second = TestClient(in: folder)
        try second.start(pebble.directory, authority: pebble.authorityFile)
        #expect(try await second.certificates.next("stored certificate") == pair)
        second.stop()
        #expect(try second.file("account.key") == key)
        #expect(second.lines.all.isEmpty)
    }

    @Test func `is renewed with a new key when a third of its lifetime is left`() async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: server, environment: ["PEBBLE_AUTHZREUSE": "100"])
        try client.start(pebble.directory, authority: pebble.authorityFile)
        let first = try await client.certificates.next("certificate")
        try await client.lines.next("end") { $0.contains("is in use until") }
        client.clock.advance(by: .seconds(15 * 3_600))
        #expect(client.certificates.all.count == 1)
        client.clock.advance(by: .seconds(3 * 3_600))
        let second = try await client.certificates.next("renewed certificate")
        #expect(second.key != first.key)
        try await client.lines.next("end") { $0.contains("is in use until") }
        // The new one is old already by the set clock, and is not ordered again and again.
        let next = try #require(client.status?.nextAttempt)
        #expect(next > client.clock.date + .seconds(7 * 3_600))
        #expect(!pebble.printed.contains("There are now 2 accounts"))
    }

    @Test(arguments: [15, 60])
    func `is issued by a server that refuses nonces at times`(percent: Int) async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(
            in: folder,
            challenges: server,
            environment: ["PEBBLE_WFE_NONCEREJECT": "\(percent)"]
        )
        try client.start(pebble.directory, authority: pebble.authorityFile)
        try await client.certificates.next("certificate")
    }

    @Test func `is not issued by a server that refuses every nonce`() async throws {
        let pebble = try await Pebble(in: folder, challenges: nil, environment: ["PEBBLE_WFE_NONCEREJECT": "100"])
        try client.start(pebble.directory, authority: pebble.authorityFile)
        #expect(try await client.failure().contains("refuses each request as a replay"))
    }

    @Test func `is tried by the other challenge after a port was closed`() async throws {
        let pebble = try await Pebble(in: folder, challenges: nil)
        try client.start(pebble.directory, authority: pebble.authorityFile, kinds: [.http01, .tlsALPN01])
        let sentence = try await client.failure()
        #expect(sentence.contains("cannot connect to calls.example.org on port 80 for http-01; open the port"))
        client.clock.advance(by: .seconds(61))
        #expect(try await client.failure().contains("tls-alpn-01"))
        #expect(client.certificates.all.isEmpty)
    }

    @Test func `is not issued where another program answers`() async throws {
        let other = try ChallengeServer(ChallengeStore(), for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: other)
        try client.start(pebble.directory, authority: pebble.authorityFile)
        #expect(try await client.failure().contains("calls.example.org leads elsewhere: on port 80"))
    }

    @Test func `is not issued for a name that the authority refuses`() async throws {
        let pebble = try await Pebble(in: folder, challenges: nil)
        try client.start(pebble.directory, authority: pebble.authorityFile, domains: ["blocked.example.org"])
        #expect(try await client.failure().contains("issues no certificate for"))
    }

    @Test func `is issued by a server that went away in the middle and has lost its accounts`() async throws {
        let asked = EventInbox<Bool>()
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder) { asked.add(true) }
        let lost = try await Pebble(in: folder, challenges: server)
        try client.start(lost.directory, authority: lost.authorityFile)
        try await asked.next("validation")
        await lost.exit()
        #expect(try await client.failure().contains("cannot be reached"))
        let again = try await Pebble(in: folder, challenges: server, port: lost.port)
        // It has made a new certificate for itself, which the client reads at its next request.
        client.clock.advance(by: .seconds(61))
        _ = try await client.lines.next("certificate") {
            $0.contains("is in use until") || $0.contains("It is tried again at")
        }
        #expect(client.certificates.all.count == 1, "\(client.lines.all) \(again.printed)")
        withExtendedLifetime(again) {}
    }

    @Test func `is in use although it could not be written, and is fetched again without a new order`() async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: server)
        let blocked = client.storage.folder + "/certificate.pem.new"
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        try client.start(pebble.directory, authority: pebble.authorityFile)
        let first = try await client.certificates.next("certificate")
        #expect(try await client.failure().contains("certificate.pem cannot be written or read"))
        try FileManager.default.removeItem(atPath: blocked)
        client.clock.advance(by: .seconds(61))
        #expect(try await client.certificates.next("certificate again") == first)
        try await client.lines.next("end") { $0.contains("is in use until") }
        #expect(try client.file("certificate.pem") == first.key + first.chain)
    }

    @Test func `is ordered again when a file could not be written`() async throws {
        let server = try ChallengeServer(client.challenges, for: Pebble.name, in: folder)
        let pebble = try await Pebble(in: folder, challenges: server)
        let blocked = client.storage.folder + "/state.json.new"
        try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: true)
        try client.start(pebble.directory, authority: pebble.authorityFile)
        #expect(try await client.failure().contains("state.json cannot be written or read"))
        try FileManager.default.removeItem(atPath: blocked)
        client.clock.advance(by: .seconds(61))
        try await client.certificates.next("certificate")
    }
}
