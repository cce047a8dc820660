import HubEngine

/// The requests that the engine or a service has yet to answer, by token.
///
/// A request is pending until it is answered, or until its connection or session ends.
package struct PendingRequests {
    /// A request with the data that its answer needs.
    struct Entry {
        let context: RequestContext
        /// The session that `session.open` opens or resumes; nil: the request is another one.
        let start: SessionStart?
    }

    private var entries: [RequestToken: Entry] = [:]
    private var tokens: [ConnectionID: [RequestToken]] = [:]
    private var lastNumber: UInt64 = 0

    /// The number of pending requests.
    package var count: Int { entries.count }

    /// Issues a token: they are counted from 1, so that the same messages have the same tokens.
    mutating func issueToken() -> RequestToken {
        lastNumber &+= 1
        return RequestToken(rawValue: lastNumber)
    }

    /// Adds a request that is answered by its token.
    mutating func insert(_ context: RequestContext, start: SessionStart? = nil) {
        entries[context.token] = Entry(context: context, start: start)
        tokens[context.connection, default: []].append(context.token)
    }

    /// Returns a pending request.
    func context(of token: RequestToken) -> RequestContext? { entries[token]?.context }

    /// Removes a request that is about to be answered.
    ///
    /// - Parameter token: The token of the request.
    /// - Returns: The request; nil: it was answered, or its connection or session has ended.
    mutating func remove(_ token: RequestToken) -> Entry? {
        guard let entry = entries.removeValue(forKey: token) else { return nil }
        let connection = entry.context.connection
        tokens[connection]?.removeAll { $0 == token }
        if tokens[connection]?.isEmpty == true { tokens[connection] = nil }
        return entry
    }

    /// Removes the requests of a connection that ends, or whose session ends.
    mutating func removeAll(of connection: ConnectionID) {
        for token in tokens.removeValue(forKey: connection) ?? [] { entries[token] = nil }
    }
}
