import CommandLineTools

/// `callhub account`: manages the accounts that may sign in, and the data of each.
package enum AccountCommand {
    /// One subcommand of `callhub account`.
    struct Subcommand: Sendable {
        /// The subcommand's name, such as "add".
        let name: String
        /// The arguments in the usage text.
        let synopsis: String
        let purpose: String
        let options: [Option]
        let body: @Sendable (Arguments, StoreLocation) throws -> Void
    }

    static let subcommands: [Subcommand] = [
        AccountAdd.subcommand, AccountList.subcommand, AccountProfile.subcommand, AccountChange.password,
        AccountPasskeys.subcommand, AccountHandle.subcommand, AccountLink.link, AccountLink.unlink,
        AccountLink.renewKey, AccountChange.disable, AccountChange.enable, AccountChange.admin, AccountChange.remove,
        AccountDataCommands.export,
        AccountDataCommands.erase,
    ]

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        switch Command.choose("account", arguments, among: subcommands.map(\.name), options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            guard let subcommand = subcommands.first(where: { $0.name == verb }) else { return 1 }
            return await Command.run(
                "account \(subcommand.name)",
                rest,
                options: subcommand.options + StoreLocation.options,
                usage: usage
            ) { given in
                try subcommand.body(given, StoreLocation(given))
            }
        }
    }

    static let usage = """
        Usage: callhub account COMMAND … [OPTIONS]

        Manages the accounts that may sign in to a hub whose auth.mode includes accounts. The database is changed
        directly, whether a hub is running or not; a running hub applies the changes within about a second.

        \(lines)
        NAME is 1 to 128 bytes without control or invisible characters, and does not begin with guest-. TYPE:VALUE is a
        handle, by which an account is called: generic:alice, phoneNumber:+493012345 (with its country code) or
        emailAddress:alice@example.org. A handle belongs to one account only. Callees are shown the first handle.
        TEXT is a name or a department for the directory that users search, of at most 256 bytes; a name that users set
        themselves takes precedence.

        \(Arguments.table(options))
        Exit codes: 0 success; 1 invalid command line, name, handle or password; 2 the database cannot be used; 3 there
        is no such account, or a name or handle is taken; 4 not confirmed, nothing was changed.

        Examples:
          callhub account add alice                                    prompts for the password twice
          callhub account add bob --handle phoneNumber:+493012345 --password-stdin < bob.password
          callhub account list --json | jq -r '.[] | select(.disabled) | .name'
          callhub account set bob --name "Bob Miller" --department Sales
          callhub account handle alice first emailAddress:alice@example.org
          callhub account export alice alice.json && callhub account erase alice

        """

    private static var lines: String {
        let width = (subcommands.map { $0.name.count + $0.synopsis.count }.max() ?? 0) + 3
        return subcommands.map { subcommand in
            let call = "\(subcommand.name) \(subcommand.synopsis)"
            let indent = String(repeating: " ", count: width + 2)
            return "  " + call + String(repeating: " ", count: width - call.count)
                + subcommand.purpose.split(separator: "\n").joined(separator: "\n" + indent) + "\n"
        }.joined()
    }

    /// Every option of any subcommand, once.
    private static var options: [Option] {
        var all: [Option] = []
        for option in subcommands.flatMap(\.options) + StoreLocation.options + [Command.help]
        where !all.contains(where: { $0.name == option.name }) {
            all.append(option)
        }
        return all
    }
}
