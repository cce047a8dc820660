import CommandLineTools
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
                try file.linkIdentity(identity, to: name)
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
            guard try file.unlinkIdentity(identity, from: name) else {
                throw CommandFailure(3, "\(quoted(name)) is not linked to that user; account link prints those it is.")
            }
            try Command.print("\(visible(identity.subject)) does not sign in as \(visible(name)) any more.\n")
        }
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
