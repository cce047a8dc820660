import CommandLineTools
import HubAccountData
import HubCrypto
import HubEngine
import HubStore
import HubWire

/// `callhub account add`.
enum AccountAdd {
    static let handle = Option(
        "--handle",
        value: "TYPE:VALUE",
        help: "add: a handle; repeat for several; default generic:NAME"
    )
    static let admin = Option("--admin", help: "add: grant the permission admin")
    static let noPassword = Option(
        "--no-password",
        help: "add, passwd: no password; the account signs in with a token, a passkey or an OpenID provider"
    )

    static let subcommand = AccountCommand.Subcommand(
        name: "add",
        synopsis: "NAME",
        purpose: "creates an account",
        options: [
            handle, AccountProfile.name, AccountProfile.department, admin, noPassword, PasswordInput.fromStandardInput,
        ],
        body: add
    )

    private static func add(_ given: Arguments, at location: StoreLocation) throws {
        let name = try accountName(given.words("NAME", after: "account add")[0])
        let handles = try given.all(handle).map(accountHandle)
        let profile = PersonProfile(
            name: try AccountProfile.text(AccountProfile.name, given),
            department: try AccountProfile.text(AccountProfile.department, given)
        )
        // Checked before the user is asked for a password.
        let names = location.exists ? try location.use { try $0.accounts().filter(\.isProvisioned).map(\.name) } : []
        if let taken = names.first(where: { FoldedName($0) == FoldedName(name) }) {
            throw CommandFailure(3, "there is an account \(quoted(taken)) already; choose another name.")
        }
        let account = NewAccount(
            name,
            passwordHash: try password(of: name, given)?.text,
            handles: handles.isEmpty ? [try accountHandle("generic:" + name)] : handles,
            isAdmin: given.has(admin),
            profile: profile
        )
        try location.use(creatingIfMissing: true) { file in
            let detail = account.isAdmin ? "administrator" : nil
            try file.audited("account.add", on: name, detail) { () throws(StoreError) in
                try file.addAccount(account)
            }
        }
        try Command.print("\(visible(name)) may sign in from now on.\n")
        for other in ConfusableNames.of(name, among: names) {
            let sentence =
                "\(quoted(name)) looks like \(quoted(other)), which exists too: users may confuse them."
            Console.err(sentence + "\n")
        }
    }
}

extension AccountAdd {
    /// Reads the new account's password; nil if the command line says that it has none.
    static func password(of name: String, _ given: Arguments) throws -> PasswordHash? {
        guard given.has(noPassword) else {
            return try PasswordInput.new(of: name, given, alternative: noPassword.name)
        }
        guard !given.has(PasswordInput.fromStandardInput) else {
            throw UsageError("--no-password and --password-stdin exclude each other; give one of them.")
        }
        return nil
    }
}
