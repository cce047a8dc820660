import CUV
import Foundation

/// How many come in, in all and by address: one for all loops of a hub, asked when a connection comes and goes.
///
/// Safe on any thread. Never on the way of a packet, so a lock does.
final class Door: @unchecked Sendable {
    /// What becomes of a socket that has come.
    enum Entry {
        /// It may ask for what it wants.
        case welcome
        /// The hub is full; this one may still ask, and is told so.
        case told
        /// The hub is full, and so is the reserve for telling: close it.
        case full
        /// Too many sockets of its address have not become connections: close it.
        case tooMany
    }

    /// Sockets beyond the limit that are let in to be told that the hub is full.
    ///
    /// More: more clients hear when to come again, instead of a broken connection; as many descriptors are kept for it.
    static let reserve = 64

    /// Sockets the hub takes at once: the setting, or less when the process may not open that many.
    let maximumConnections: Int

    /// Memory for all that waits.
    let queues: QueueMemory

    private struct Guest {
        var waiting = 0
        var connections = 0
        var signIns: Budget?
        var requests: Budget?

        /// Nothing of it counts any more.
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
    // All below: with the lock held.
    private var sockets = 0
    private var guests: [IPAddress: Guest] = [:]
    private var worthLooking = 4096

    /// The door of a hub in which nobody is.
    ///
    /// - Parameters:
    ///   - settings: Its limits.
    ///   - opensSockets: Whether each guest takes a descriptor of the process.
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

    /// A socket has come.
    ///
    /// - Parameters:
    ///   - address: The address of its peer.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: What is to become of it; each `welcome` and `told` is followed by one `leaves`.
    func arrives(from address: IPAddress, at now: Int64) -> Entry {
        lock.withLock {
            guard sockets < maximumConnections + Self.reserve else { return .full }
            // A proxy's sockets are its clients': those are counted when they say who they are.
            if !isExempt(address), !trusted.contains(where: { $0.contains(address) }) {
                guard guests[address.guest]?.waiting ?? 0 < handshakesPerAddress else { return .tooMany }
                // Whoever asks on although every answer is a refusal gets none.
                var requests = guests[address.guest]?.requests
                guard requests?.share(at: now) ?? 0 >= -0.5 else { return .tooMany }
            }
            sockets += 1
            guests[address.guest, default: Guest()].waiting += 1
            return sockets <= maximumConnections ? .welcome : .told
        }
    }

    /// A socket becomes a connection.
    ///
    /// - Parameters:
    ///   - peer: Whose socket it is.
    ///   - source: Whom it is for.
    /// - Returns: False when that one has as many as one may have; then the socket is what it was.
    func connects(_ peer: IPAddress, for source: IPAddress) -> Bool {
        lock.withLock {
            let present = guests[source.guest]?.connections ?? 0
            guard present < connectionsPerAddress || isExempt(source) else { return false }
            guests[source.guest, default: Guest()].connections += 1
            forget(peer.guest) { $0.waiting -= 1 }
            return true
        }
    }

    /// A socket is gone.
    ///
    /// - Parameters:
    ///   - peer: Whose it was.
    ///   - source: Whom its connection was for; nil: it has not become one.
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

    /// Counts requests of somebody who has not signed in, granted or not.
    ///
    /// - Parameters:
    ///   - source: The address that they are from.
    ///   - count: 1 for a request, more for one that takes as long as several.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: False when that is more than the address may ask.
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

    /// Seconds' worth of requests that an address may send in one go.
    ///
    /// More: larger offices load their phones at once; one stranger holds all others up for longer.
    private static let secondsInOneGo = 10.0

    /// Somebody wants to sign in.
    ///
    /// - Parameters:
    ///   - source: Whom the connection is for.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: False when there were too many sign-ins from there in the last minute.
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

    /// How many addresses are remembered.
    var guestCount: Int { lock.withLock { guests.count } }

    /// A trusted proxy's own address is never exempt: all of its clients would be who do not say who they are.
    func isExempt(_ address: IPAddress) -> Bool {
        exempt.contains { $0.contains(address) } && !trusted.contains { $0.contains(address) }
    }

    private func forget(_ address: IPAddress, _ change: (inout Guest) -> Void) {
        guard var guest = guests[address] else { return }
        change(&guest)
        let isGone = guest.waiting == 0 && guest.connections == 0 && guest.signIns == nil && guest.requests == nil
        guests[address] = isGone ? nil : guest
    }

    /// Those who have left are kept for their budgets; each time their number has doubled, who is quiet goes.
    private func forgetTheQuiet(at now: Int64) {
        guard guests.count > worthLooking else { return }
        guests = guests.filter { !$0.value.isIdle(at: now) }
        worthLooking = max(4096, guests.count * 2)
    }
}

extension Optional {
    /// Does something to what is there, or to a first value.
    fileprivate mutating func withDefault<Result>(_ first: Wrapped, _ body: (inout Wrapped) -> Result) -> Result {
        var value = self ?? first
        defer { self = value }
        return body(&value)
    }
}
