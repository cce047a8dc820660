import HubEngine

/// The counters of the hub, and the page of metrics that is made of them and of the other parts' own.
struct HubMetrics {
    /// The counters of sessions and errors.
    var counters = HubCounters()
    private var cache: MetricsCache
    private lazy var descriptors = DescriptorCount()

    init(_ settings: MetricsSettings) {
        cache = MetricsCache(lifetime: settings.cacheLife)
    }

    /// Requests the page, see ``MetricsCache/request(_:at:)``.
    mutating func request(_ requestID: HTTPRequestID, at now: Instant) -> MetricsCache.Answer {
        cache.request(requestID, at: now)
    }

    /// Sets the page; returns the requests that wait for it.
    mutating func fill(_ page: HTTPResponse, at now: Instant) -> [HTTPRequestID] { cache.fill(page, at: now) }

    /// Returns the number of open file descriptors as of the last call, and has them counted for the next.
    mutating func openDescriptors() -> Int { descriptors.latest }
}
