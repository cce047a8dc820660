import HubEngine

/// The page of `/metrics`, made once for all requests within its lifetime: to make it costs as much as many requests.
struct MetricsCache {
    /// The result of a request for the page.
    enum Answer: Equatable {
        /// The cached page.
        case page(HTTPResponse)
        /// The page is being made; the request is answered with it.
        case waiting
        /// The page is to be made now.
        case collect
    }

    private enum State {
        case empty
        case collecting([HTTPRequestID])
        case filled(HTTPResponse, at: Instant)
    }

    private let lifetime: Duration
    private var state = State.empty

    /// Makes an empty cache.
    ///
    /// - Parameter lifetime: The time for which a page is reused.
    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    /// Requests the page.
    ///
    /// - Parameters:
    ///   - requestID: The request.
    ///   - now: The time.
    /// - Returns: The page, or the way in which it will be answered.
    mutating func request(_ requestID: HTTPRequestID, at now: Instant) -> Answer {
        switch state {
        case .filled(let page, let madeAt) where now.since(madeAt) < lifetime: return .page(page)
        case .collecting(let requestIDs):
            state = .collecting(requestIDs + [requestID])
            return .waiting
        case .empty, .filled:
            state = .collecting([requestID])
            return .collect
        }
    }

    /// Fills the cache with a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - now: The time.
    /// - Returns: The requests that wait for it.
    mutating func fill(_ page: HTTPResponse, at now: Instant) -> [HTTPRequestID] {
        defer { state = .filled(page, at: now) }
        guard case .collecting(let requestIDs) = state else { return [] }
        return requestIDs
    }
}
