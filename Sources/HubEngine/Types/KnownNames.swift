/// Another party's names in the account's data (row CK-15).
public struct KnownNames: Hashable, Sendable {
    /// The name in the account's contacts.
    public var contact: String?
    /// The name in an enabled caller directory.
    public var directory: String?
    /// The title of that directory, such as "Acme Caller ID"; nil: it has none.
    public var directoryTitle: String?

    /// Creates a value without names.
    public init() {}
}
