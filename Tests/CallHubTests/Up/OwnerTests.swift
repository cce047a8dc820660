import Foundation
import HubACME
import HubServer
import HubStore
import HubTestSupport
import Testing

@testable import HubAccounts
@testable import HubConfiguration

/// The owner of a new hub: the link of `callhub up` and of `callhub invite owner`, and the account that it creates.
struct OwnerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var data: String { folder.path + "/data" }

    /// A running `callhub up`, with the secret and the port of its owner's link.
    private struct Running {
        let program: Program
        let port: Int
        let secret: String?
    }

    private func up(_ options: [String] = [], environment: [String: String] = [:]) async throws -> Running {
        let program = try Program(
            ["up", "--port", "0", "--redirect-port", "0", "--data", data] + options,
            in: folder,
            environment: environment,
            withErrors: true
        )
        let isService = environment["NOTIFY_SOCKET"] != nil
        try await program.line(with: isService ? "SHA-256" : "Its data is in ")
        let port = try #require(program.printed.firstMatch(of: #/\n  https://\S+:(\d+)/#).flatMap { Int($0.1) })
        let secret = program.printed.firstMatch(of: ##/\n  (https://\S+)/#i=([A-Za-z0-9_-]{22})\n/##)
        if let secret { #expect(program.printed.contains("\n  \(secret.1)\n"), "the link has no address of the list") }
        return Running(program: program, port: port, secret: secret.map { String($0.2) })
    }

    /// Sends a request before a sign-in, over TLS; returns its result or its error.
    private static func ask(_ port: Int, _ method: String, _ members: [String: String]) async throws
        -> [String: String]
    {
        try await blocking {
            let socket = try RawSocket(port: port)
            try socket.startTLS()
            let webSocket = RawWebSocket(socket)
            try webSocket.requestUpgrade(host: "127.0.0.1:\(port)")
            guard try HTTPReply(from: socket).status == 101 else { throw RawSocketError.unexpectedReply("") }
            let request: [String: Any] = ["jsonrpc": "2.0", "id": 1, "method": method, "params": members]
            try webSocket.send(opcode: 1, Array(JSONSerialization.data(withJSONObject: request)))
            var frame = try webSocket.readFrame(timeout: 20)
            // A password takes its time on a busy machine, and the hub pings meanwhile.
            while frame.opcode == 9 {
                try webSocket.send(opcode: 10, frame.payload)
                frame = try webSocket.readFrame(timeout: 20)
            }
            let text = frame.text
            let reply = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
            if let result = reply["result"] as? [String: Any] { return result.compactMapValues { $0 as? String } }
            let details = (reply["error"] as? [String: Any])?["data"] as? [String: Any]
            return ["refused": details?["reason"] as? String ?? text]
        }
    }

    private static func accept(_ port: Int, _ secret: String, as account: String) async throws -> [String: String] {
        try await ask(
            port,
            "invitation.accept",
            ["secret": secret, "account": account, "password": "a long password"]
        )
    }

    private func isAdmin() throws -> [String: Bool] {
        let accounts = try StoreFile(data + "/callhub.db").accounts()
        return Dictionary(uniqueKeysWithValues: accounts.map { ($0.name, $0.isAdmin) })
    }

    @Test func `who opens the link first is the administrator, and up says how to stay; there is no link later`()
        async throws
    {
        let hub = try await up()
        let secret = try #require(hub.secret)
        #expect(try await Self.ask(hub.port, "invitation.show", ["secret": secret])["kind"] == "owner")
        #expect(!hub.program.printed.contains("--install"))
        #expect(try await Self.accept(hub.port, secret, as: "ann") == ["account": "ann"])
        let line = try await hub.program.line(with: "ann owns this server now.")
        #expect(line.contains("End it by Ctrl-C, and to keep it running"))
        try await hub.program.line(with: " up --install --port 0 --redirect-port 0 --from \(data)")
        #expect(try isAdmin() == ["ann": true])
        // At once, and not when the hub looks for changes.
        let information = try await blocking { [port = hub.port] in
            let socket = try RawSocket(port: port)
            try socket.startTLS()
            try socket.send("GET /v1/info HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
            return String(decoding: try HTTPReply(from: socket).body, as: UTF8.self)
        }
        #expect(!information.contains("setup"), "\(information)")
        #expect(try await Self.accept(hub.port, secret, as: "eve") == ["refused": "used"])
        hub.program.send(signal: SIGTERM)
        #expect(await hub.program.exitCode() == 0)
        let again = try await up()
        let staying = " up --install --port 0 --redirect-port 0 --from \(data)"
        #expect(again.secret == nil && again.program.printed.contains(staying))
    }

    @Test func `of four who accept at once one owns the server, and each other one is refused with a reason`()
        async throws
    {
        let hub = try await up()
        let (port, secret) = (hub.port, try #require(hub.secret))
        let answers = try await withThrowingTaskGroup(of: [String: String].self) { group in
            for number in 1...4 {
                group.addTask { try await Self.accept(port, secret, as: "racer \(number)") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0["account"] != nil }.count == 1, "\(answers)")
        #expect(answers.filter { $0 == ["refused": "used"] }.count == 3, "\(answers)")
        #expect(try isAdmin().count == 1)
    }

    @Test func `up invites as many others as it is asked to, each to one account`() async throws {
        let hub = try await up(["--invite", "2"])
        let links = hub.program.printed.matches(of: ##/https://\S+/#i=([A-Za-z0-9_-]{22})/##)
        let secrets = links.map { String($0.1) }
        #expect(secrets.first == hub.secret && Set(secrets).count == 3, "\(hub.program.printed)")
        for (number, secret) in secrets.enumerated() {
            let account = "person \(number)"
            #expect(try await Self.accept(hub.port, secret, as: account) == ["account": account])
            #expect(try await Self.accept(hub.port, secret, as: "eve") == ["refused": "used"])
        }
        #expect(try isAdmin() == ["person 0": true, "person 1": false, "person 2": false])
        let log = try await CommandRun("admin", "audit", "--data", data, in: folder)
        #expect(log.output.components(separatedBy: "invitation.create").count == 4, "\(log.output)\(log.errors)")
    }

    @Test func `a link that was not used is replaced at the next start`() async throws {
        let first = try await up()
        first.program.send(signal: SIGTERM)
        #expect(await first.program.exitCode() == 0)
        let second = try await up()
        let (old, new) = (try #require(first.secret), try #require(second.secret))
        #expect(try await Self.accept(second.port, old, as: "eve") == ["refused": "revoked"])
        #expect(try await Self.accept(second.port, new, as: "ann") == ["account": "ann"])
    }

    @Test func `a bad password or name leaves the owner's link as it is`() async throws {
        let hub = try await up()
        let secret = try #require(hub.secret)
        for (account, password, reason) in [
            ("ann", "short", "passwordTooShort"), ("guest-1", "a long password", "accountInvalid"),
        ] {
            let members = ["secret": secret, "account": account, "password": password]
            #expect(try await Self.ask(hub.port, "invitation.accept", members) == ["refused": reason])
        }
        #expect(try isAdmin() == [:])
        #expect(try await Self.accept(hub.port, secret, as: "ann") == ["account": "ann"])
    }

    @Test func `a service prints no secret, and invite owner makes a link with the address of the running hub`()
        async throws
    {
        let hub = try await up(["--invite", "1"], environment: ["NOTIFY_SOCKET": folder.path + "/notify"])
        #expect(!hub.program.printed.contains("#i="), "\(hub.program.printed)")
        #expect(hub.program.printed.contains("A service prints no link; those for others are made by: sudo "))
        #expect(hub.program.printed.contains("This server has no owner yet; the link for the owner is shown by: sudo "))
        #expect(hub.program.printed.contains(" invite owner --data \(data)\n"))
        let first = try await CommandRun("invite", "owner", "--data", data, in: folder)
        let second = try await CommandRun("invite", "owner", "--data", data, in: folder)
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.hasPrefix("Whoever opens this link first, within 24 hours, administers the server;"))
        let links = try [first, second].map {
            try #require($0.output.wholeMatch(of: ##/(https://\S+:(\d+))/#i=([A-Za-z0-9_-]{22})\n/##))
        }
        #expect(Int(links[1].2) == hub.port)
        // The first of the addresses that up has printed, which others reach.
        #expect(hub.program.printed.contains("open one of these addresses:\n\n  \(links[1].1)\n"))
        #expect(try await Self.accept(hub.port, String(links[0].3), as: "eve") == ["refused": "revoked"])
        #expect(try await Self.accept(hub.port, String(links[1].3), as: "ann") == ["account": "ann"])
        let third = try await CommandRun("invite", "owner", "--data", data, in: folder)
        #expect(third.code == 3 && third.output.isEmpty)
        #expect(
            third.errors == "callhub invite owner: this server has accounts, so that it needs no owner; `callhub "
                + "account list` shows them, and `callhub invite account --admin` invites an administrator.\n"
        )
        let log = try await CommandRun("admin", "audit", "--data", data, in: folder)
        let entries = log.output.split(separator: "\n").filter { $0.contains("invitation.create") }
        #expect(entries.count == 2 && entries.allSatisfy { $0.contains("owner") }, "\(log.output)")
        // Other links lead to the running hub, too.
        let guest = try await CommandRun("invite", "guest", "ann", "--data", data, in: folder)
        #expect(guest.output.hasPrefix("\(links[1].1)/#i="), "\(guest.output)")
    }

    @Test func `the QR code is printed where it is asked for, and a wrong option is one sentence`() async throws {
        let hub = try await up(["--qr"])
        #expect(hub.program.printed.contains("▀") || hub.program.printed.contains("█"), "\(hub.program.printed)")
        for (arguments, sentence) in [
            (["up", "--qr", "--no-qr"], "callhub up: --qr and --no-qr exclude each other; give one of them.\n"),
            (
                ["up", "--from", "x"],
                "callhub up: --from is for --install; name the data directory of this server by --data.\n"
            ),
            (["invite", "owner", "--admin"], "callhub invite owner: --admin is not for invite owner; leave it out.\n"),
            (
                ["invite", "owner", "--url", "x", "--data", data],
                "callhub invite owner: --url is \"x\"; it must be a web page, like https://hub.example.com.\n"
            ),
        ] {
            let run = try await CommandRun(arguments, in: folder)
            #expect(run.code == 1 && run.errors == sentence, "\(run.errors)")
        }
    }
}

/// The address of its page that a running hub leaves for commands.
struct PageAddressTests {
    private func settings(_ change: (inout ServeSettings) -> Void) -> ServeSettings {
        var settings = ServeSettings()
        change(&settings)
        return settings
    }

    @Test func `it is the public address, the domain's, the proxy's name, or the machine's addresses`() {
        let cases: [((inout ServeSettings) -> Void, String?)] = [
            ({ $0.hub.transport.publicURL = "https://a.example.org" }, "https://a.example.org/"),
            ({ $0.hub.transport.isBehindProxy = true }, nil),
            (
                { ($0.hub.transport.isBehindProxy, $0.hub.transport.hosts) = (true, ["b.example.org"]) },
                "https://b.example.org/"
            ),
            ({ $0.tls.acme.domains = ["C.example.org"] }, "https://c.example.org:8443/"),
            ({ ($0.hub.transport.host, $0.tls.own) = ("*", true) }, "https://*:8443/"),
            ({ ($0.hub.transport.host, $0.hub.transport.pathPrefix) = ("::", "/hub") }, "http://*:8443/hub/"),
            ({ $0.hub.transport.host = "127.0.0.1" }, "http://localhost:8443/"),
            ({ ($0.hub.transport.host, $0.tls.own) = ("2001:db8::1", true) }, "https://[2001:db8::1]:8443/"),
        ]
        for (change, text) in cases { #expect(PageAddress(of: settings(change), port: 8443)?.text == text) }
        let usual = settings { ($0.hub.transport.host, $0.tls.own) = ("*", true) }
        #expect(PageAddress(of: usual, port: 443)?.text == "https://*/")
    }

    @Test func `a file that another program has left or damaged is not believed`() throws {
        let folder = try TemporaryFolder()
        let address = try #require(PageAddress(of: settings { $0.tls.own = true }, port: 8443))
        #expect(PageAddress.read(in: folder.path) == nil)
        try PageAddress.store(address, in: folder.path)
        #expect(PageAddress.read(in: folder.path) == address)
        let long = "https://" + String(repeating: "a", count: 99_999) + "/"
        for text in ["", "https://", "ftp://a/", "https://a/#x/", "https://a b/", "https://a/\nhttps://b/", long] {
            _ = try folder.write(text, to: "page")
            #expect(PageAddress.read(in: folder.path) == nil, "\(text.prefix(20))")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/page")
        _ = try folder.write("https://a/\n", to: "other")
        let (page, other) = (folder.path + "/page", folder.path + "/other")
        try FileManager.default.createSymbolicLink(atPath: page, withDestinationPath: other)
        #expect(PageAddress.read(in: folder.path) == nil)
        try PageAddress.store(nil, in: folder.path)
        try PageAddress.store(nil, in: folder.path)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/page"))
    }
}
