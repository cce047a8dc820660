import CommandLineClient
import CommandLineTools
import DirectoryReading
import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubWire

/// `callhub directory`: manages an account's call directories at a running hub.
package enum DirectoryCommand {
    static let account = Option(
        "--account",
        value: "NAME",
        help: "the account of the directories; default: the token's"
    )
    static let extensionName = Option(
        "--extension",
        value: "NAME",
        help: "load: the directory's name; default: the file's name without its extension"
    )
    static let incremental = Option(
        "--incremental",
        help: "load: add to the directory's entries instead of replacing them"
    )
    static let removal = Option(
        "--remove",
        value: "FILE",
        help: """
            load, with --incremental: first remove the entries in this file, which has the format of FILE.csv
            or FILE.vcf; of a labelled number all labels are removed. The file to load may then be omitted
            """
    )
    static let countryCode = Option(
        "--country-code",
        value: "CODE",
        help: """
            load: the country code of numbers that begin with 0: with 49, 030 12345 is +49 30 12345, and a
            leading 00 is a +; without the option such lines are invalid
            """
    )
    static let title = Option(
        "--title",
        value: "TEXT",
        help: "load: the title that phones show with its names, such as \"Acme Caller ID\"; \"\" removes it"
    )
    static let skipBad = Option("--skip-bad", help: "load: skip invalid lines, and load the others")

    static let options =
        [account, HubAccess.hub, extensionName, title, incremental, removal, countryCode, skipBad, Command.json]
        + HubCredentials.options

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["load", "list", "empty", "enable", "disable", "reload"]
        switch Command.choose("directory", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("directory \(verb)", rest, options: options, usage: usage) { given in
                switch verb {
                case "load": try await load(given)
                case "list": try await list(given)
                case "empty": try await empty(given)
                case "reload": try await reload(given)
                default: try await setEnabled(verb == "enable", given)
                }
            }
        }
    }

    // MARK: Subcommands

    private static func list(_ given: Arguments) async throws {
        _ = try given.words(after: "directory list")
        let directories = try await withHubClient(given) { client throws(HubClientError) in
            try await client.send(.accountData(.directoryStatus(identifier: nil)))
        }
        guard case .directories(let directories) = directories else {
            throw CommandFailure(2, "the hub's answer to directory.status does not conform to the protocol.")
        }
        guard !given.has(Command.json) else {
            return try Command.print(jsonText(directories.map(ListedDirectory.init)))
        }
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
        for directory in directories {
            guard let fault = directory.lastFault else { continue }
            let name = visible(directory.identifier)
            Console.err("The last load of \(name) failed, \(localTime(fault.at)): \(visible(fault.message))\n")
        }
        if directories.isEmpty { Console.err("There are no directories; callhub directory load FILE creates one.\n") }
        try Command.print(directories.isEmpty ? "" : table.text(isColoured: Terminal.hasColours))
    }

    /// Replaces the entries of a directory by none; the status request first fails if there is no such directory.
    private static func empty(_ given: Arguments) async throws {
        let name = try given.words("NAME", after: "directory empty")[0]
        _ = try await withHubClient(given) { client throws(HubClientError) in
            _ = try await client.send(.accountData(.directoryStatus(identifier: name)))
            return try await client.send(.accountData(.loadDirectory(DirectoryLoad(name))))
        }
        try Command.print("\(visible(name)) is empty.\n")
    }

    private static func reload(_ given: Arguments) async throws {
        let name = try given.words("NAME", after: "directory reload")[0]
        _ = try await withHubClient(given) { client throws(HubClientError) in
            try await client.send(.accountData(.reloadDirectory(identifier: name)))
        }
        try Command.print("The account's devices were asked to load \(visible(name)) again.\n")
    }

    private static func setEnabled(_ isEnabled: Bool, _ given: Arguments) async throws {
        let verb = isEnabled ? "enable" : "disable"
        let name = try given.words("NAME", after: "directory \(verb)")[0]
        _ = try await withHubClient(given) { client throws(HubClientError) in
            try await client.send(.accountData(.setDirectoryEnabled(identifier: name, isEnabled)))
        }
        try Command.print("\(visible(name)) is \(verb)d.\n")
    }

    // MARK: Connection

    /// Signs in, sends a request, and closes the connection.
    private static func withHubClient(
        _ given: Arguments,
        _ body: (HubClient) async throws(HubClientError) -> ReplyPayload
    ) async throws -> ReplyPayload {
        let client = try await connect(try signIn(given), given)
        do throws(HubClientError) {
            let reply = try await body(client)
            await client.close()
            return reply
        } catch {
            await client.close()
            throw CommandFailure(error, isFinal: false)
        }
    }

    /// The credentials that the command line and the environment give.
    static func signIn(_ given: Arguments) throws(UsageError) -> HubCredentials {
        let signIn = try HubCredentials(given, environment: ProcessInfo.processInfo.environment)
        guard given[account] != nil || signIn.hasToken else {
            throw UsageError("--account NAME is missing: the account of the directories.")
        }
        return signIn
    }

    /// Connects a client and signs it in.
    static func connect(_ signIn: HubCredentials, _ given: Arguments) async throws(CommandFailure) -> HubClient {
        var options = signIn.access.clientOptions
        options.clientName = "callhub directory"
        // The device neither rings nor calls.
        options.permissions = []
        // The hub answers the last batch when all entries are on its disk.
        options.timing.responseTimeout = .seconds(120)
        options.timing.reconnectTimeout = .seconds(10)
        return try await signIn.connect(as: given[account], options)
    }
}
