public import HubEngine

/// A contact of an account's user (protocol.md, Account data).
public struct Contact: Hashable, Sendable {
    /// The identifier that the client has chosen; a contact with the same one is replaced.
    public var identifier: String
    /// The contact's name.
    public var name: String
    /// The handles by which the contact is reached.
    public var handles: [Handle]
    /// True if the contact is one of the user's favourites.
    public var isFavorite: Bool
    /// True if the contact's calls ring in spite of Do Not Disturb (row CK-74).
    public var breaksThroughDoNotDisturb: Bool
    /// The name of the ringtone that the contact's calls play; nil: the user's own choice.
    public var ringtone: String?
    /// The hash of the contact's photo, by which clients store it; nil: there is none.
    public var photoHash: String?

    /// Creates a contact from its parts.
    public init(
        identifier: String,
        name: String,
        handles: [Handle] = [],
        isFavorite: Bool = false,
        breaksThroughDoNotDisturb: Bool = false,
        ringtone: String? = nil,
        photoHash: String? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.handles = handles
        self.isFavorite = isFavorite
        self.breaksThroughDoNotDisturb = breaksThroughDoNotDisturb
        self.ringtone = ringtone
        self.photoHash = photoHash
    }

    /// The approximate size in an answer, in bytes, for the limit of all contacts of an account.
    var byteCount: Int {
        let more = [ringtone, photoHash].reduce(0) { $0 + ($1.map { 15 + $0.utf8.count } ?? 0) }
        return handles.reduce(100 + identifier.utf8.count + name.utf8.count + more) { $0 + $1.byteCount }
    }
}

extension Handle {
    /// The approximate size in an answer, in bytes: the value, and the field names around it.
    var byteCount: Int { 40 + value.utf8.count }
}
