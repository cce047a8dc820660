public import HubEngine

/// The description of a person, the same for all who may see them.
public struct PersonDescription: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The department, if one is known.
    public var department: String?
    /// The availability.
    public var presence: Presence
    /// The hash of the photo; nil: there is none.
    public var photoHash: String?

    /// Creates a description from its parts.
    public init(name: String, department: String? = nil, presence: Presence, photoHash: String? = nil) {
        self.photoHash = photoHash
        self.name = name
        self.department = department
        self.presence = presence
    }
}

/// The source of people's descriptions, and of the permission to see them.
public protocol PeopleSource {
    /// Returns the person with a handle.
    ///
    /// - Parameter handle: A handle, as a client named it.
    /// - Returns: The present description, and the date at which it changes without an event; nil: nobody has it.
    func person(with handle: Handle) -> (description: PersonDescription, changesAt: Instant?)?

    /// Indicates that a watcher may see the person with a handle.
    func maySee(_ handle: Handle, _ watcher: SessionID) -> Bool
}

/// A change of people's presence, to be sent to one watcher.
public struct PresenceUpdate: Hashable, Sendable {
    /// The session to notify.
    public var watcher: SessionID
    /// The people that have changed, in the order of the changes.
    public var people: [Person]
    /// The sessions whose requests have caused changes, one for each person that is to be charged.
    public var causes: [SessionID]
}
