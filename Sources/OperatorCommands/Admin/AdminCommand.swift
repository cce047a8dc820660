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
    static let json = Option("--json", help: "calls, devices, accounts: a JSON document, for programs")
    static let options = [json, grace, HubAccess.hub, account] + HubCredentials.options

    private static let verbs = ["calls", "devices", "accounts", "end", "sign-out", "reload", "drain"]

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        switch Command.choose("admin", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("admin \(verb)", rest, options: options, usage: usage) { given in
                try await perform(try AdminCommandRequest(verb, given), given)
            }
        }
    }

    private static func perform(_ adminRequest: AdminCommandRequest, _ given: Arguments) async throws {
        let signIn = try HubCredentials(given, environment: ProcessInfo.processInfo.environment)
        var options = signIn.access.clientOptions
        options.clientName = "callhub admin"
        options.deviceName = "callhub admin"
        options.permissions = [.admin]
        let account = given[account] ?? (signIn.hasToken ? nil : "admin")
        let client = try await signIn.connect(as: account, options)
        let text: String
        do throws(HubClientError) {
            text = try await adminRequest.output(of: client, json: given.has(json))
        } catch {
            await client.close()
            guard case .refused(let refusal) = error else { throw CommandFailure(2, error.description) }
            throw CommandFailure(refusal.code == .notFound ? 3 : 2, refusal.message.namingCommands + ".")
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

        Administers a running hub. CALL and SESSION are values of the first column of `calls` and `devices`. A hub in
        open mode that listens on loopback accepts any account; any other hub requires an account that was created with
        `callhub account add NAME --admin`, or a token with the permission "admin". On a terminal, the command prompts
        for the password.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 the hub cannot be reached or refuses the command; 3 there is no
        such call or session, or it has ended.

        Examples:
          callhub admin calls
          callhub admin devices --json | jq -r '.sessions[] | select(.account == "bob") | .session'
          callhub admin end 3.0 --account root --password-stdin < root.password
          callhub admin drain --grace 60 --hub wss://hub.example.com/v1 --token-file admin.jwt

        """
}
