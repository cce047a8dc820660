public import HubEngine

/// An entry of Recents, with the user's seen mark.
public struct RecentEntry: Hashable, Sendable {
    /// The call.
    public var call: RecentCall
    /// True if a client has reported that the user has seen the entry.
    public var isSeen: Bool
    /// The number of calls that the entry stands for, at least 1; `call` is the last of them.
    ///
    /// More than 1 only for calls of one invitation's guests.
    public var count: Int

    /// Creates an entry from its parts.
    public init(_ call: RecentCall, isSeen: Bool = false, count: Int = 1) {
        self.call = call
        self.isSeen = isSeen
        self.count = count
    }
}
