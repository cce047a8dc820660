import CUV
import Foundation

/// The limits on sockets, connections, requests and sign-ins, in all and by address, shared by the loops of a hub.
///
/// Safe on any thread. A lock is enough, as it is not used for each packet.
package final class ConnectionLimiter: @unchecked Sendable {
    /// The decision on an accepted socket.
    package enum Decision {
        /// Admitted: it may send its request.
        case accepted
        /// The hub is full; this socket may still send its request, which is refused with an explanation.
        case acceptedForRefusal
        /// The hub is full, and so is the reserve for explanations: close it.
        case full
        /// Too many sockets of its address are in their handshakes, or it is far beyond its request limit: close it.
        case tooMany
    }

    /// The sockets beyond the limit that are accepted to be refused with an explanation.
    ///
    /// More: more clients learn when to retry, instead of seeing a reset; as many descriptors are reserved.
    static let reserve = 64

    /// The maximum number of sockets: the setting, or less if the process may not open that many.
    package let maximumConnections: Int

    /// The memory budget for queued data.
    package let queues: QueueBudget

    private struct PeerUsage {
        var handshakes = 0
        var connections = 0
        var signIns: TokenBucket?
        var requests: TokenBucket?

        /// True if it holds no socket and its buckets are full, so that it can be evicted.
        func isIdle(at now: Int64) -> Bool {
            guard handshakes == 0, connections == 0 else { return false }
            var (signIns, requests) = (signIns, requests)
            return signIns?.isFull(at: now) != false && requests?.isFull(at: now) != false
        }
    }

    private let exempt: [AddressRange]
    private let trusted: [AddressRange]
    private let connectionsPerAddress: Int
    private let handshakesPerAddress: Int
    private let signInsPerMinute: Int
    private let requestsPerSecond: Double
    private let lock = NSLock()
    // Guarded by the lock, from here on.
    private var sockets = 0
    private var peers: [IPAddress: PeerUsage] = [:]
    private var evictionThreshold = 4096

    /// Creates limits with no socket counted.
    ///
    /// - Parameters:
    ///   - settings: The settings with the limits.
    ///   - opensSockets: True if each socket takes a descriptor of the process.
    package init(_ settings: TransportSettings, opensSockets: Bool = true) {
        let wanted = max(settings.maximumConnections, 1)
        let asked = wanted.addingReportingOverflow(Self.reserve).partialValue
        let possible = opensSockets ? DescriptorLimit.raise(for: asked) : asked
        maximumConnections = min(wanted, max(possible - Self.reserve, 1))
        let megabytes = max(settings.maximumQueuedMegabytes, 1)
        queues = QueueBudget(limit: megabytes.multipliedReportingOverflow(by: 1 << 20).partialValue)
        exempt = settings.exemptAddresses
        trusted = settings.trustedProxies
        connectionsPerAddress = settings.maximumConnectionsPerAddress
        handshakesPerAddress = settings.maximumHandshakesPerAddress
        signInsPerMinute = settings.signInsPerMinute
        requestsPerSecond = Double(max(settings.requestsPerSecond, 1))
    }

    /// Counts an accepted socket, unless it is refused.
    ///
    /// - Parameters:
    ///   - address: The address of its peer.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: The decision; each `accepted` and `acceptedForRefusal` must be followed by one `release`.
    package func accept(from address: IPAddress, at now: Int64) -> Decision {
        lock.withLock {
            guard sockets < maximumConnections + Self.reserve else { return .full }
            // A proxy's sockets are its clients': those are counted once their addresses are forwarded.
            if !isExempt(address), !trusted.contains(where: { $0.contains(address) }) {
                guard peers[address.rateLimitAddress]?.handshakes ?? 0 < handshakesPerAddress else { return .tooMany }
                // A client that keeps sending requests although each is refused gets no more answers.
                var requests = peers[address.rateLimitAddress]?.requests
                guard requests?.fillLevel(at: now) ?? 0 >= -0.5 else { return .tooMany }
            }
            sockets += 1
            peers[address.rateLimitAddress, default: PeerUsage()].handshakes += 1
            return sockets <= maximumConnections ? .accepted : .acceptedForRefusal
        }
    }

    /// Counts a socket as a connection after its upgrade to a WebSocket.
    ///
    /// - Parameters:
    ///   - peer: The address of the socket's peer.
    ///   - source: The client's address, which differs from the peer's behind a proxy.
    /// - Returns: False if the client's address has its maximum of connections; then nothing changes.
    package func upgrade(_ peer: IPAddress, for source: IPAddress) -> Bool {
        lock.withLock {
            let present = peers[source.rateLimitAddress]?.connections ?? 0
            guard present < connectionsPerAddress || isExempt(source) else { return false }
            peers[source.rateLimitAddress, default: PeerUsage()].connections += 1
            updateUsage(peer.rateLimitAddress) { $0.handshakes -= 1 }
            return true
        }
    }

    /// Releases a closed socket.
    ///
    /// - Parameters:
    ///   - peer: The address of the socket's peer.
    ///   - source: The client's address given to `upgrade`; nil: the socket has not become a connection.
    package func release(_ peer: IPAddress, connectedFor source: IPAddress?) {
        lock.withLock {
            sockets -= 1
            if let source {
                updateUsage(source.rateLimitAddress) { $0.connections -= 1 }
            } else {
                updateUsage(peer.rateLimitAddress) { $0.handshakes -= 1 }
            }
        }
    }

    /// Counts requests of a client that is not signed in, granted or not.
    ///
    /// - Parameters:
    ///   - source: The client's address.
    ///   - count: 1 for a request, more for an expensive one.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: False if the address has exceeded its request rate.
    package func allowsRequest(from source: IPAddress, count: Int = 1, at now: Int64) -> Bool {
        lock.withLock {
            guard !isExempt(source) else { return true }
            let burst = requestsPerSecond * Self.burstSeconds
            let full = TokenBucket(burst: burst, perSecond: requestsPerSecond, at: now)
            let fillLevel = peers[source.rateLimitAddress, default: PeerUsage()].requests.withDefault(full) {
                $0.overdraw(Double(count), at: now)
                return $0.fillLevel(at: now)
            }
            evictIdleAddresses(at: now)
            return fillLevel >= 0
        }
    }

    /// The burst of requests that an address may send, in seconds of its rate.
    ///
    /// More: larger offices load their clients at once; one attacker delays all others for longer.
    private static let burstSeconds = 10.0

    /// Counts a sign-in, unless its address has exceeded its rate.
    ///
    /// - Parameters:
    ///   - source: The client's address.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: False if there were too many sign-ins from that address in the last minute.
    package func allowsSignIn(from source: IPAddress, at now: Int64) -> Bool {
        lock.withLock {
            guard !isExempt(source) else { return true }
            let most = Double(signInsPerMinute)
            let full = TokenBucket(burst: most, perSecond: most / 60, at: now)
            let allowsSignIn = peers[source.rateLimitAddress, default: PeerUsage()].signIns.withDefault(full) {
                $0.consume(at: now)
            }
            evictIdleAddresses(at: now)
            return allowsSignIn
        }
    }

    /// The number of sockets that are open.
    var socketCount: Int { lock.withLock { sockets } }

    /// The number of addresses with an entry.
    var addressCount: Int { lock.withLock { peers.count } }

    /// True if no limit applies to an address.
    ///
    /// Never for a trusted proxy: else no limit would apply to its clients whose addresses it does not forward.
    package func isExempt(_ address: IPAddress) -> Bool {
        exempt.contains { $0.contains(address) } && !trusted.contains { $0.contains(address) }
    }

    private func updateUsage(_ address: IPAddress, _ change: (inout PeerUsage) -> Void) {
        guard var usage = peers[address] else { return }
        change(&usage)
        let isGone = usage.handshakes == 0 && usage.connections == 0 && usage.signIns == nil && usage.requests == nil
        peers[address] = isGone ? nil : usage
    }

    /// Entries without sockets are kept for their buckets; each time their number has doubled, idle ones are evicted.
    private func evictIdleAddresses(at now: Int64) {
        guard peers.count > evictionThreshold else { return }
        peers = peers.filter { !$0.value.isIdle(at: now) }
        evictionThreshold = max(4096, peers.count * 2)
    }
}

extension Optional {
    /// Applies a closure to the value, or to a default if there is none, and stores it.
    fileprivate mutating func withDefault<Result>(_ first: Wrapped, _ body: (inout Wrapped) -> Result) -> Result {
        var value = self ?? first
        defer { self = value }
        return body(&value)
    }
}
