import HubEngine

/// The page of metrics, made once for all who ask within its life: making it takes the hub as long as many requests.
struct MetricsCache {
    /// The answer to a request for the page.
    enum Answer: Equatable {
        /// The page, young enough.
        case page(HTTPResponse)
        /// The page is being made, and answers this request too.
        case waiting
        /// The page is to be made now.
        case gather
    }

    private enum State {
        case empty
        case gathering([HTTPTicket])
        case filled(HTTPResponse, at: Instant)
    }

    private let life: Duration
    private var state = State.empty

    /// An empty cache.
    ///
    /// - Parameter life: The time for which a page is given.
    init(life: Duration) {
        self.life = life
    }

    /// Takes a request for the page.
    ///
    /// - Parameters:
    ///   - ticket: The request.
    ///   - now: The time.
    /// - Returns: The page, or how it will be answered.
    mutating func request(_ ticket: HTTPTicket, at now: Instant) -> Answer {
        switch state {
        case .filled(let page, let madeAt) where now.since(madeAt) < life: return .page(page)
        case .gathering(let tickets):
            state = .gathering(tickets + [ticket])
            return .waiting
        case .empty, .filled:
            state = .gathering([ticket])
            return .gather
        }
    }

    /// Takes the page that was made.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - now: The time.
    /// - Returns: The requests that wait for it.
    mutating func fill(_ page: HTTPResponse, at now: Instant) -> [HTTPTicket] {
        defer { state = .filled(page, at: now) }
        guard case .gathering(let tickets) = state else { return [] }
        return tickets
    }
}
