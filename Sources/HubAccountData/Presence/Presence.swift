public import HubEngine

/// The availability of a person for calls, as others are shown it (protocol.md, Presence).
public enum Presence: Hashable, Sendable {
    /// A call would ring.
    case free
    /// The person has a connected or held call on any device.
    case onCall
    /// All devices that could ring have reported that their user is away.
    case away
    /// Calls do not ring; `until` is the end of the quiet hours, nil: no quiet hours, or without end.
    case doNotDisturb(until: Instant?)
    /// No device that could ring is signed in.
    case offline
    /// There is no such person, or the watcher may not see them.
    case unknown
    /// A state that this version does not know, by its name in the protocol.
    case other(String)
}

/// A person in the directory of the house, as a client is shown them.
public struct Person: Hashable, Sendable {
    /// The handle to call; in answers to a subscription the one that the client named.
    public var handle: Handle
    /// The name; nil: the client may not see the person, or there is none.
    public var name: String?
    /// The department, if one is known.
    public var department: String?
    /// The availability.
    public var presence: Presence
    /// The hash of the photo, by which clients store it; nil: there is none, or the client may not see the person.
    public var photoHash: String?

    /// Creates a person from its parts.
    public init(
        handle: Handle,
        name: String? = nil,
        department: String? = nil,
        presence: Presence = .unknown,
        photoHash: String? = nil
    ) {
        self.photoHash = photoHash
        self.handle = handle
        self.name = name
        self.department = department
        self.presence = presence
    }
}

/// The name and department of a person as the operator or the issuer of a token gives them.
public struct PersonProfile: Hashable, Sendable {
    /// The name; nil: none is given.
    public var name: String?
    /// The department; nil: none is given.
    public var department: String?

    /// Creates a profile from its parts.
    public init(name: String? = nil, department: String? = nil) {
        self.name = name
        self.department = department
    }
}
