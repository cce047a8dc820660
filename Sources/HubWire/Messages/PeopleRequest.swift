public import HubEngine

/// A request about the people of the house and their presence (docs/protocol.md, People and presence).
///
/// The server handles it, not the engine.
public enum PeopleRequest: Hashable, Sendable {
    /// `people.list`; `search` nil: everybody.
    case list(search: String?, AdminPage)
    /// `people.subscribe`, with the handles in place of the former ones.
    case subscribe([Handle])
    /// `people.photo`.
    case photo(Handle)
    /// `presence.set`.
    case setAway(Bool)

    /// The maximum number of handles in a subscription.
    ///
    /// More: larger switchboards see all at once; more memory and messages for each session.
    public static let maximumHandles = 500
}
