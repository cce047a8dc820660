import Foundation
import HubClient
import HubEngine
import HubWire

/// `callhub directory`: an account's call directories, at a hub that runs.
enum DirectoryCommand {
    static let account = Option("--account", value: "NAME", help: "whose directories they are; a token may name it")
    static let named = Option(
        "--extension",
        value: "NAME",
        help: "load: which of the account's directories it is; else the file's name without its ending"
    )
    static let incremental = Option(
        "--incremental",
        help: "load: add to what the directory has, in place of replacing it"
    )
    static let skipBad = Option("--skip-bad", help: "load: leave lines out that are wrong, and load the others")
    static let password = Option(
        "--password-stdin",
        help: "take the password from the first line of standard input ($CALLHUB_PASSWORD without it)"
    )
    static let token = Option(
        "--token",
        value: "FILE",
        help: "take the token from this file ($CALLHUB_TOKEN without it)"
    )
    static let json = Option("--json", help: "JSON on standard output, for programs")
    static let help = Option("--help", help: "this text")

    static let options = [
        account, HubAccess.hub, named, incremental, skipBad, password, token, json, HubAccess.ca, HubAccess.insecure,
    ]

    /// Runs one of the commands; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["load", "list", "enable", "disable"]
        switch Command.choose("directory", arguments, among: verbs, usage: usage) {
        case .told(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("directory \(verb)", rest, options: options, usage: usage) { given in
                switch verb {
                case "load": try await load(given)
                case "list": try await list(given)
                default: try await setEnabled(verb == "enable", given)
                }
            }
        }
    }

    // MARK: What can be done

    private static func load(_ given: Arguments) async throws {
        let path = try given.words("FILE.csv or FILE.vcf", after: "directory load")[0]
        let identifier = given[named] ?? DirectoryFile.baseName(of: path)
        guard (1...256).contains(identifier.utf8.count) else {
            throw UsageError("\(quoted(identifier)) cannot be a directory's name; it must have 1 to 256 bytes.")
        }
        let access = try access(given)
        let start = ContinuousClock.now
        var line = ProgressLine()
        var complaints: [String] = []
        let source = DirectorySource(path: path, skipsBad: given.has(skipBad)) { complaints.append($0) }
        let (table, badLines): (DirectoryTable, Int)
        do throws(CommandFailure) {
            (table, badLines) = try source.table { count in line.show("\(grouped(count)) lines read") }
        } catch {
            line.wipe()
            for complaint in complaints { Console.err(complaint + "\n") }
            throw error
        }
        line.wipe()
        for complaint in complaints { Console.err(complaint + "\n") }
        let client = try await connect(access, given)
        leaveWhenInterrupted(client)
        let loader = DirectoryLoader(
            client: client,
            identifier: identifier,
            isIncremental: given.has(incremental)
        )
        let result: DirectoryLoadResult
        do throws(CommandFailure) {
            result = try await loader.load(table) { taken in
                line.show("\(taken * 100 / max(1, table.count)) % of \(count(table.count, "entry", "entries")) sent")
            }
        } catch {
            line.wipe()
            await client.close()
            throw error
        }
        line.wipe()
        await client.close()
        let report = LoadReport(
            extension: identifier,
            blocking: result.blocking,
            identification: result.identification,
            sent: table.count,
            duplicates: table.duplicates,
            badLines: badLines,
            seconds: start.duration(to: .now) / .seconds(1)
        )
        try Command.print(given.has(json) ? jsonText(report) : report.sentence)
    }

    private static func list(_ given: Arguments) async throws {
        _ = try given.words(after: "directory list")
        let reply = try await ask(.directoryStatus(identifier: nil), given)
        guard case .directories(let directories) = reply else {
            throw CommandFailure(2, "the hub's answer to directory.status is not what the protocol says.")
        }
        guard !given.has(json) else { return try Command.print(jsonText(directories.map(ListedDirectory.init))) }
        var table = TextTable("NAME", "STATE", "BLOCKED", "NAMES", "LOADED")
        for directory in directories {
            table.add(
                directory.identifier,
                directory.isEnabled ? "enabled" : "disabled",
                grouped(directory.blocking),
                grouped(directory.identification),
                directory.loadedAt.map(localTime) ?? "never"
            )
        }
        if directories.isEmpty { Console.err("There are no directories; callhub directory load FILE makes one.\n") }
        try Command.print(directories.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
    }

    private static func setEnabled(_ isEnabled: Bool, _ given: Arguments) async throws {
        let verb = isEnabled ? "enable" : "disable"
        let name = try given.words("NAME", after: "directory \(verb)")[0]
        _ = try await ask(.setDirectoryEnabled(identifier: name, isEnabled), given)
        try Command.print("\(visible(name)) is \(verb)d.\n")
    }

    // MARK: The hub

    private static func ask(_ request: MemoryRequest, _ given: Arguments) async throws -> ReplyPayload {
        let client = try await connect(try access(given), given)
        do throws(HubClientError) {
            let reply = try await client.send(.memory(request))
            await client.close()
            return reply
        } catch {
            await client.close()
            throw CommandFailure(error, isFinal: false)
        }
    }

    private static func access(_ given: Arguments) throws -> HubAccess {
        var access = HubAccess(given, environment: ProcessInfo.processInfo.environment)
        guard !given.has(password) || !given.has(token) else {
            throw UsageError("--password-stdin and --token exclude each other; say one of them.")
        }
        if given.has(password) { access.password = try PasswordInput.line() }
        if let file = given[token] {
            let line = try LineReader(file, longest: 1 << 20).firstLine()
            guard !line.isEmpty else { throw UsageError("\(file) has no token; it must have one in its first line.") }
            (access.token, access.password) = (line, nil)
        }
        guard given[account] != nil || access.token != nil else {
            throw UsageError("--account NAME is missing: whose directories they are.")
        }
        return access
    }

    /// Leaves the hub before Ctrl-C ends the program: a load that is only cut off would keep the next one out for a while.
    private static func leaveWhenInterrupted(_ client: HubClient) {
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { signal in
            Task {
                await client.close()
                Signals.end(by: signal)
            }
        }
    }

    private static func connect(_ access: HubAccess, _ given: Arguments) async throws -> HubClient {
        var options = access.clientOptions
        options.clientName = "callhub directory"
        // A device that neither rings nor calls.
        options.permissions = []
        // The last batch is answered when all of it is on the hub's disk.
        options.timing.answerTimeout = .seconds(120)
        options.timing.givesUpAfter = .seconds(10)
        do throws(HubClientError) {
            return try await HubClient.connect(to: access.url, account: given[account], options: options)
        } catch {
            if case .invalidAddress = error { throw UsageError(error.description) }
            throw CommandFailure(error, isFinal: false)
        }
    }
}

extension LineReader {
    /// The first line, without spaces around it; empty where there is none.
    fileprivate consuming func firstLine() throws(UsageError) -> String {
        var reader = self
        return String(decoding: try reader.next()?.text ?? [], as: UTF8.self).trimmingSpaces
    }
}
