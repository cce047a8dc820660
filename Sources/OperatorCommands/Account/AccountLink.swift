import CommandLineTools
import HubAccounts
import HubEngine
import HubStore
import HubWire

/// `callhub account link` and `unlink`: which users of an OpenID provider sign in to an account.
enum AccountLink {
    static let issuer = Option("--issuer", value: "URL", help: "link, unlink: the provider, as in auth.openID.issuer")
    static let subject = Option("--subject", value: "ID", help: "link, unlink: the provider's ID of the user (sub)")

    static let link = AccountCommand.Subcommand(
        name: "link",
        synopsis: "NAME",
        purpose: "lets a user of an OpenID provider sign in to it; without\nthe options prints the users that may",
        options: [issuer, subject]
    ) { given, location in
        let typedName = try given.words("NAME", after: "account link")[0]
        let identity = try identity(given)
        try location.use { file in
            let name = try file.requireAccount(typedName)
            if let identity {
                try file.audited("account.link", on: name, identity.auditText) { () throws(StoreError) in
                    try file.linkIdentity(identity, to: name)
                }
                let user = "\(visible(identity.subject)) of \(visible(identity.issuer))"
                try Command.print("\(user) signs in as \(visible(name)).\n")
            } else {
                for linked in try file.identities(of: name) {
                    try Command.print("\(visible(linked.identity.issuer)) \(visible(linked.identity.subject))\n")
                }
            }
        }
    }

    static let unlink = AccountCommand.Subcommand(
        name: "unlink",
        synopsis: "NAME",
        purpose: "takes that back; its sessions end, and their calls",
        options: [issuer, subject]
    ) { given, location in
        let typedName = try given.words("NAME", after: "account unlink")[0]
        guard let identity = try identity(given) else {
            throw UsageError("account unlink needs --issuer and --subject; account link \(typedName) prints them.")
        }
        try location.use { file in
            let name = try file.requireAccount(typedName)
            let wasLinked = try file.identities(of: name).contains { $0.identity == identity }
            guard wasLinked else {
                throw CommandFailure(3, "\(quoted(name)) is not linked to that user; account link prints those it is.")
            }
            try file.audited("account.unlink", on: name, identity.auditText) { () throws(StoreError) in
                _ = try file.unlinkIdentity(identity, from: name)
            }
            try Command.print("\(visible(identity.subject)) does not sign in as \(visible(name)) any more.\n")
        }
    }

    static let renewKey = AccountCommand.Subcommand(
        name: "renew-openid",
        synopsis: "",
        purpose:
            "makes a new key for the tokens by which users of an OpenID provider\nstay signed in: all of them are signed out, and sign in by it anew",
        options: [AccountChange.yes]
    ) { given, location in
        _ = try given.words(after: "account renew-openid")
        let key = OpenIDTokens.freshKey()
        guard !key.isEmpty else { throw CommandFailure(2, "no key can be generated; nothing was changed.") }
        if !given.has(AccountChange.yes) {
            try Terminal.confirm("Sign out all users of OpenID providers?", orOption: AccountChange.yes)
        }
        try location.use { file in
            try file.audited("openid.renewKey") { () throws(StoreError) in try file.replaceOpenIDKey(by: key) }
        }
        try Command.print("All tokens of OpenID sign-ins are void.\n")
    }

    /// Reads the user of the provider; nil: neither option is given.
    private static func identity(_ given: Arguments) throws -> ExternalIdentity? {
        let (issuer, subject) = (try text(issuer, given), try text(subject, given))
        guard let issuer, let subject else {
            guard issuer == nil, subject == nil else {
                throw UsageError("--issuer and --subject belong together; give both.")
            }
            return nil
        }
        return ExternalIdentity(issuer: issuer, subject: subject)
    }

    private static func text(_ option: Option, _ given: Arguments) throws -> String? {
        guard let text = given[option] else { return nil }
        guard (1...1_024).contains(text.utf8.count) else {
            throw UsageError("\(option.name) must have 1 to 1024 bytes.")
        }
        return text
    }
}

extension ExternalIdentity {
    /// The user of the provider in the audit log.
    fileprivate var auditText: String { "\(subject) of \(issuer)" }
}
