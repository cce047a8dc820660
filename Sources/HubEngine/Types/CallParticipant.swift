/// A person in the conversation of a group, or the user who has transferred a call, as a call's owner is shown them.
///
/// See rows CH-01 and CH-05.
public struct CallParticipant: Hashable, Sendable {
    /// The person's handle.
    public var handle: Handle
    /// The name to show for the person; empty if it is hidden.
    public var name: String
    /// The source of that name.
    public var nameSource: CallSnapshot.NameSource
    /// The naming that is left to the engine's driver.
    package var naming: Naming

    /// The state of a participant's name: the engine has no account data, so that most names are the driver's to find.
    package enum Naming: Hashable, Sendable {
        /// The name is final.
        case final
        /// The account's display name, or else the name in the data of the call's owner, replaces the handle.
        ///
        /// `account` is nil if the party is no account.
        case byDriver(account: String?)
    }

    package init(
        handle: Handle,
        name: String,
        nameSource: CallSnapshot.NameSource,
        naming: Naming = .final
    ) {
        self.handle = handle
        self.name = name
        self.nameSource = nameSource
        self.naming = naming
    }

    /// A person who does not want to be named.
    package static let hidden = CallParticipant(handle: .anonymous, name: "", nameSource: .hidden)
}

extension CallParticipant {
    /// Completes the name with the accounts' data, in the order of a caller's name (row CK-15).
    ///
    /// - Parameters:
    ///   - displayName: Returns the display name that an account has set; nil: none.
    ///   - names: Returns the names of a handle in the data of the call's owner.
    package mutating func complete(displayName: (String) -> String?, names: (Handle) -> KnownNames) {
        guard case .byDriver(let account) = naming else { return }
        naming = .final
        if let shown = account.flatMap(displayName) { return (name, nameSource) = (shown, .caller) }
        let known = names(handle)
        if let contact = known.contact { return (name, nameSource) = (contact, .contact) }
        if let directory = known.directory { (name, nameSource) = (directory, .directory) }
    }
}
