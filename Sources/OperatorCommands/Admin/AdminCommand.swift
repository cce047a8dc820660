import CommandLineClient
import CommandLineTools
import Foundation
import HubClient
import HubEngine

/// `callhub admin`: administers a running hub.
package enum AdminCommand {
    static let account = Option(
        "--account",
        value: "NAME",
        help: "the administrator's account; default admin, or the token's"
    )
    static let grace = Option(
        "--grace",
        value: "SECONDS",
        help: "drain: the time for which calls may continue; default: the hub's drain.graceSeconds"
    )
    static let json = Option("--json", help: "calls, devices, accounts, audit: a JSON document, for programs")
    static let options =
        [json, grace] + AuditCommand.options + StoreLocation.options + [HubAccess.hub, account]
        + HubCredentials.options

    private static let verbs = ["calls", "devices", "accounts", "end", "sign-out", "reload", "drain", "audit"]

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        switch Command.choose("admin", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("admin \(verb)", rest, options: options, usage: usage) { given in
                guard verb == "audit" else {
                    return try await perform(try AdminCommandRequest(verb, given), given)
                }
                try await audit(given)
            }
        }
    }

    /// Prints the audit log: of the running hub that is named, or else of the data directory.
    private static func audit(_ given: Arguments) async throws {
        _ = try given.words(after: "admin audit")
        guard !given.has(grace) else { throw UsageError("--grace goes with drain alone.") }
        let asksHub = ([HubAccess.hub, account] + HubCredentials.options).contains(where: given.has)
        guard asksHub else { return try AuditCommand.run(given, at: try StoreLocation(given)) }
        for option in StoreLocation.options where given.has(option) {
            throw UsageError("\(option.name) reads the database, --hub asks a running hub; give one of them.")
        }
        let client = try await connect(given)
        do {
            try await AuditCommand.run(given, client)
        } catch let error as HubClientError {
            await client.close()
            throw failure(error)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private static func connect(_ given: Arguments) async throws -> HubClient {
        let signIn = try HubCredentials(given, environment: ProcessInfo.processInfo.environment)
        var options = signIn.access.clientOptions
        options.clientName = "callhub admin"
        options.deviceName = "callhub admin"
        options.permissions = [.admin]
        let account = given[account] ?? (signIn.hasToken ? nil : "admin")
        return try await signIn.connect(as: account, options)
    }

    private static func failure(_ error: HubClientError) -> CommandFailure {
        guard case .refused(let refusal) = error else { return CommandFailure(2, error.description) }
        return CommandFailure(refusal.code == .notFound ? 3 : 2, refusal.message.namingCommands + ".")
    }

    private static func perform(_ adminRequest: AdminCommandRequest, _ given: Arguments) async throws {
        let client = try await connect(given)
        let text: String
        do throws(HubClientError) {
            text = try await adminRequest.output(of: client, json: given.has(json))
        } catch {
            await client.close()
            throw failure(error)
        }
        await client.close()
        try Command.print(text)
    }

    private static let usage = """
        Usage: callhub admin calls | devices | accounts [--json]
               callhub admin end CALL            end a call for both its parties
               callhub admin sign-out SESSION    end a device's session and its calls
               callhub admin reload              reload certificate, token keys and brand, like SIGHUP
               callhub admin drain [--grace SECONDS]
                                                 stop gracefully, like SIGTERM
               callhub admin audit [--since DATE] [--limit N] [--json] [--data DIR | --hub URL …]
                                                 print the audit log of administrative acts
               callhub admin audit --verify [--head N:SHA256]
                                                 verify it

        Administers a running hub. CALL and SESSION are values of the first column of `calls` and `devices`. A hub in
        open mode that listens on loopback accepts any account; any other hub requires an account that was created with
        `callhub account add NAME --admin`, or a token with the permission "admin". On a terminal, the command prompts
        for the password.

        `audit` reads the database of the data directory, whether a hub is running or not; with --hub or an account it
        asks that hub. Each entry has the SHA-256 of the one before, so that `--verify` finds entries that were changed,
        removed or moved. That the newest were cut off, or all were written anew, by someone who may write the file, it finds
        with --head alone: an entry's number and hash from the hub's log, which has one from each start and once a day.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the hub cannot be reached or refuses the command; 3 there is no
        such call or session, or it has ended; 4 the audit log was changed.

        Examples:
          callhub admin calls
          callhub admin devices --json | jq -r '.sessions[] | select(.account == "bob") | .session'
          callhub admin end 3.0 --account root --password-stdin < root.password
          callhub admin audit --since 2026-12-01 --data /var/lib/callhub
          callhub admin drain --grace 60 --hub wss://hub.example.com/v1 --token-file admin.jwt

        """
}
