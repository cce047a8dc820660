import CUV
import Foundation

/// The limits on sockets, connections, requests and sign-ins, in all and by address, shared by the loops of a hub.
///
/// Safe on any thread. A lock is enough, as it is not used for each packet.
final class Door: @unchecked Sendable {
    /// The decision on an accepted socket.
    enum Entry {
        /// Admitted: it may send its request.
        case welcome
        /// The hub is full; this socket may still send its request, which is refused with an explanation.
        case told
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
    let maximumConnections: Int

    /// The memory budget for queued data.
    let queues: QueueMemory

    private struct Guest {
        var waiting = 0
        var connections = 0
        var signIns: Budget?
        var requests: Budget?

        /// True if it holds no socket and its buckets are full, so that it can be evicted.
        func isIdle(at now: Int64) -> Bool {
            guard waiting == 0, connections == 0 else { return false }
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
    private var guests: [IPAddress: Guest] = [:]
    private var worthLooking = 4096

    /// Creates limits with no socket counted.
    ///
    /// - Parameters:
    ///   - settings: The settings with the limits.
    ///   - opensSockets: True if each socket takes a descriptor of the process.
    init(_ settings: TransportSettings, opensSockets: Bool = true) {
        let wanted = max(settings.maximumConnections, 1)
        let asked = wanted.addingReportingOverflow(Self.reserve).partialValue
        let possible = opensSockets ? DescriptorLimit.raise(for: asked) : asked
        maximumConnections = min(wanted, max(possible - Self.reserve, 1))
        let megabytes = max(settings.maximumQueuedMegabytes, 1)
        queues = QueueMemory(limit: megabytes.multipliedReportingOverflow(by: 1 << 20).partialValue)
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
    /// - Returns: The decision; each `welcome` and `told` must be followed by one `leaves`.
    func arrives(from address: IPAddress, at now: Int64) -> Entry {
        lock.withLock {
            guard sockets < maximumConnections + Self.reserve else { return .full }
            // A proxy's sockets are its clients': those are counted once their addresses are forwarded.
            if !isExempt(address), !trusted.contains(where: { $0.contains(address) }) {
                guard guests[address.guest]?.waiting ?? 0 < handshakesPerAddress else { return .tooMany }
                // A client that keeps sending requests although each is refused gets no more answers.
                var requests = guests[address.guest]?.requests
                guard requests?.share(at: now) ?? 0 >= -0.5 else { return .tooMany }
            }
            sockets += 1
            guests[address.guest, default: Guest()].waiting += 1
            return sockets <= maximumConnections ? .welcome : .told
        }
    }

    /// Counts a socket as a connection after its upgrade to a WebSocket.
    ///
    /// - Parameters:
    ///   - peer: The address of the socket's peer.
    ///   - source: The client's address, which differs from the peer's behind a proxy.
    /// - Returns: False if the client's address has its maximum of connections; then nothing changes.
    func connects(_ peer: IPAddress, for source: IPAddress) -> Bool {
        lock.withLock {
            let present = guests[source.guest]?.connections ?? 0
            guard present < connectionsPerAddress || isExempt(source) else { return false }
            guests[source.guest, default: Guest()].connections += 1
            forget(peer.guest) { $0.waiting -= 1 }
            return true
        }
    }

    /// Releases a closed socket.
    ///
    /// - Parameters:
    ///   - peer: The address of the socket's peer.
    ///   - source: The client's address given to `connects`; nil: the socket has not become a connection.
    func leaves(_ peer: IPAddress, connectedFor source: IPAddress?) {
        lock.withLock {
            sockets -= 1
            if let source {
                forget(source.guest) { $0.connections -= 1 }
            } else {
                forget(peer.guest) { $0.waiting -= 1 }
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
    func mayAsk(from source: IPAddress, count: Int = 1, at now: Int64) -> Bool {
        lock.withLock {
            guard !isExempt(source) else { return true }
            let burst = requestsPerSecond * Self.secondsInOneGo
            let full = Budget(burst: burst, perSecond: requestsPerSecond, at: now)
            let share = guests[source.guest, default: Guest()].requests.withDefault(full) {
                $0.overdraw(Double(count), at: now)
                return $0.share(at: now)
            }
            forgetTheQuiet(at: now)
            return share >= 0
        }
    }

    /// The burst of requests that an address may send, in seconds of its rate.
    ///
    /// More: larger offices load their clients at once; one attacker delays all others for longer.
    private static let secondsInOneGo = 10.0

    /// Counts a sign-in, unless its address has exceeded its rate.
    ///
    /// - Parameters:
    ///   - source: The client's address.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: False if there were too many sign-ins from that address in the last minute.
    func signsIn(from source: IPAddress, at now: Int64) -> Bool {
        lock.withLock {
            guard !isExempt(source) else { return true }
            let most = Double(signInsPerMinute)
            let full = Budget(burst: most, perSecond: most / 60, at: now)
            let maySignIn = guests[source.guest, default: Guest()].signIns.withDefault(full) { $0.spend(at: now) }
            forgetTheQuiet(at: now)
            return maySignIn
        }
    }

    /// The number of sockets that are open.
    var socketCount: Int { lock.withLock { sockets } }

    /// The number of addresses with an entry.
    var guestCount: Int { lock.withLock { guests.count } }

    /// True if no limit applies to an address.
    ///
    /// Never for a trusted proxy: else no limit would apply to its clients whose addresses it does not forward.
    func isExempt(_ address: IPAddress) -> Bool {
        exempt.contains { $0.contains(address) } && !trusted.contains { $0.contains(address) }
    }

    private func forget(_ address: IPAddress, _ change: (inout Guest) -> Void) {
        guard var guest = guests[address] else { return }
        change(&guest)
        let isGone = guest.waiting == 0 && guest.connections == 0 && guest.signIns == nil && guest.requests == nil
        guests[address] = isGone ? nil : guest
    }

    /// Entries without sockets are kept for their buckets; each time their number has doubled, idle ones are evicted.
    private func forgetTheQuiet(at now: Int64) {
        guard guests.count > worthLooking else { return }
        guests = guests.filter { !$0.value.isIdle(at: now) }
        worthLooking = max(4096, guests.count * 2)
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
