import CommandLineTools
import HubAccountData
import HubStore
import HubWire

/// `callhub account set`, and the options for a person's name and department.
enum AccountProfile {
    static let name = Option("--name", value: "TEXT", help: "add, set: the name that others are shown; empty: none")
    static let department = Option("--department", value: "TEXT", help: "add, set: the department; empty: none")

    static let subcommand = AccountCommand.Subcommand(
        name: "set",
        synopsis: "NAME",
        purpose: "changes the name and the department that others find it by",
        options: [name, department],
        body: set
    )

    private static func set(_ given: Arguments, at location: StoreLocation) throws {
        let account = try given.words("NAME", after: "account set")[0]
        let (newName, newDepartment) = (given[name], given[department])
        guard newName != nil || newDepartment != nil else {
            throw UsageError("there is nothing to be changed; give --name TEXT, --department TEXT or both.")
        }
        for option in [name, department] { _ = try text(option, given) }
        try location.use { file in
            let changed = [newName.map { "name: \($0)" }, newDepartment.map { "department: \($0)" }].compactMap(\.self)
            try file.audited("account.profile", on: account, changed.joined(separator: ", ")) {
                () throws(StoreError) in
                try file.setProfile(name: newName, department: newDepartment, of: account)
            }
            let stored = try file.account(named: account)
            let texts = [stored?.profile.name, stored?.profile.department].compactMap(\.self)
            let shown = texts.map(visible).joined(separator: ", ")
            let shownAccount = visible(stored?.name ?? account)
            try Command.print("\(shownAccount): \(shown.isEmpty ? "no name and no department" : shown)\n")
        }
    }

    /// Returns the text of an option after its check; nil: there is none, or it is empty.
    static func text(_ option: Option, _ given: Arguments) throws(UsageError) -> String? {
        guard let text = given[option], !text.isEmpty else { return nil }
        guard text.isValidDisplayName, text.unicodeScalars.allSatisfy(isVisible) else {
            let requirement = "it must have at most 256 bytes, and no control or invisible characters"
            throw UsageError("\(option.name) is \(quoted(text)); \(requirement).")
        }
        return text
    }
}
