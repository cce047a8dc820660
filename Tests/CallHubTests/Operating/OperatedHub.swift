import Foundation
import HubCrypto
import HubEngine
import HubStore
import HubTestSupport

/// A hub process with authentication, in a folder of its own.
final class OperatedHub: Sendable {
    let folder: TemporaryFolder
    let port: Int
    /// The signer of tokens that the hub accepts in its token mode.
    let issuer: TokenSigner
    private let process: ProcessBox

    /// Starts a hub with the accounts root (an administrator) and bob, whose passwords are their names and `-secret`.
    ///
    /// - Parameters:
    ///   - mode: The value of the setting `auth.mode`.
    ///   - folder: The folder of its files; nil: a new temporary folder.
    /// - Throws: `Failure`, or any error of the file system or of starting the program.
    init(_ mode: String, in folder: TemporaryFolder? = nil) async throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        guard let key = SigningKey.generate(.es256) else { throw Failure(description: "no key can be made") }
        issuer = TokenSigner(key: key, issuer: "https://issuer.example", audience: "callhub")
        let keys = try folder.write("{\"keys\":[\(key.publicJWK)]}", to: "keys.json")
        var auth = "mode: \"\(mode)\", passwordMegabytes: 8, passwordPasses: 1"
        if mode.contains("token") {
            auth += ", tokenKeys: \"\(keys)\", tokenIssuer: \"\(issuer.issuer)\", tokenLeewaySeconds: 0"
        }
        // A phone of these tests answers no ping while a command runs, and a busy machine may run it slowly.
        let session = "pingIntervalSeconds: 60, silenceTimeoutSeconds: 180"
        let settings = try folder.write("{auth: {\(auth)}, session: {\(session)}}", to: "hub.json5")
        if mode.contains("accounts") { try Self.makeAccounts(folder) }
        let program = try Program(
            ["serve", "--config", settings, "--listen", "127.0.0.1:0", "--data", Self.data(folder)],
            in: folder,
            withErrors: true
        )
        process = ProcessBox(program)
        let line = try await program.line(with: "listens on")
        guard let port = line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap({ Int($0.1) }) else {
            throw Failure(description: line)
        }
        self.port = port
    }

    deinit { process.program.send(signal: SIGKILL) }

    var address: String { "ws://127.0.0.1:\(port)/v1" }

    /// The hub's process, with its standard output and its log.
    var log: Program { process.program }

    /// Returns the data folder, which holds the database.
    static func data(_ folder: TemporaryFolder) -> String { folder.path + "/data" }

    /// Opens the hub's database as a command does.
    func store() throws -> StoreFile { try StoreFile(Self.data(folder) + "/callhub.db", creatingIfMissing: false) }

    /// Signs a token that is valid for so many seconds from now.
    func token(of account: String, seconds: Double, _ permissions: Set<TokenClaims.Permission> = [.call]) -> String {
        let end = Date(timeIntervalSinceNow: seconds)
        let claims = TokenClaims(account: account, permissions: permissions, expires: end)
        return issuer.sign(claims, at: Date()) ?? ""
    }

    /// Runs a command of `callhub` to its end.
    func run(_ arguments: String..., input: String? = nil) async throws -> CommandRun {
        try await CommandRun(arguments, in: folder, input: input)
    }

    /// Runs `callhub admin` as root.
    func admin(_ arguments: String...) async throws -> CommandRun {
        let root = ["--hub", address, "--account", "root", "--password-stdin"]
        return try await CommandRun(["admin"] + arguments + root, in: folder, input: "root-secret")
    }

    /// Signs in a phone of bob's by his password.
    func bob() throws -> RawPhone {
        try RawPhone(port: port, account: "bob", ["password": "bob-secret", "device": ["id": "mobile"]])
    }

    /// Signs in a phone by a token.
    func guest(_ token: String) throws -> RawPhone {
        let phone = try RawPhone(port: port)
        try phone.open(["token": token])
        return phone
    }

    private static func makeAccounts(_ folder: TemporaryFolder) throws {
        let file = try StoreFile(data(folder) + "/callhub.db")
        for name in ["root", "bob"] {
            guard let cost = PasswordCost(megabytes: 8, passes: 1),
                let hash = PasswordHash(try Password("\(name)-secret"), cost: cost)
            else { throw Failure(description: "no hash can be made") }
            let handles = [Handle.generic(name)]
            try file.addAccount(
                NewAccount(name, passwordHash: hash.text, handles: handles, isAdmin: name == "root")
            )
        }
    }

    /// A program that one test at a time uses.
    private final class ProcessBox: @unchecked Sendable {
        let program: Program

        init(_ program: Program) { self.program = program }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

extension RawPhone {
    /// Places a call to a generic handle.
    @discardableResult
    func call(_ name: String) throws -> Object {
        let uuid = UUID().uuidString.lowercased()
        let start: Object = ["type": "start", "callUUID": uuid, "handle": ["type": "generic", "value": name]]
        return try ask("transaction.request", ["actions": [start]])
    }

    /// Answers the next ringing call and returns it as it was announced.
    @discardableResult
    func answer() throws -> Object {
        let ringing = try next("call.changed") { $0.call["state"] as? String == "ringing" }.call
        let answer: Object = ["type": "answer", "callUUID": ringing["uuid"] ?? ""]
        _ = try ask("transaction.request", ["actions": [answer]])
        return ringing
    }

    /// Ends all calls of one UUID.
    func hangUp(_ call: Object) throws {
        let end: Object = ["type": "end", "callUUID": call["uuid"] ?? ""]
        _ = try ask("transaction.request", ["actions": [end]])
    }
}
