/// Somebody whom an account's user knows (protocol.md 9).
public struct Contact: Hashable, Sendable {
    /// The client's own name for the entry; putting one of the same identifier replaces it.
    public var identifier: String
    /// What the user calls them.
    public var name: String
    /// How they are reached.
    public var handles: [Handle]
    /// Whether they are among the user's favourites.
    public var isFavorite: Bool
    /// Whether their calls ring also while the user does not want to be disturbed (row CK-74).
    public var breaksThroughDoNotDisturb: Bool

    /// A contact of its parts.
    public init(
        identifier: String,
        name: String,
        handles: [Handle] = [],
        isFavorite: Bool = false,
        breaksThroughDoNotDisturb: Bool = false
    ) {
        self.identifier = identifier
        self.name = name
        self.handles = handles
        self.isFavorite = isFavorite
        self.breaksThroughDoNotDisturb = breaksThroughDoNotDisturb
    }

    /// About how much it is in an answer, for the limit on all of an account's.
    var byteCount: Int {
        handles.reduce(100 + identifier.utf8.count + name.utf8.count) { $0 + $1.byteCount }
    }
}

extension Handle {
    /// About how much it is in an answer: its value, and the names around it.
    var byteCount: Int { 40 + value.utf8.count }
}
