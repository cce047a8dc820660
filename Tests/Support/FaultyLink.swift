import Foundation

/// A network between clients and a hub on this machine that fails on command: a TCP proxy on a thread of its own.
///
/// Every command has been carried out when its method returns. Safe on any thread.
public final class FaultyLink: Sendable {
    /// The directions of a connection.
    public struct Directions: OptionSet, Sendable, Hashable {
        /// The bits of the set, one for each direction.
        public let rawValue: Int

        /// A set of directions.
        ///
        /// - Parameter rawValue: The bits of the set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// From the clients to the hub.
        public static let toHub = Directions(rawValue: 1)
        /// From the hub to the clients.
        public static let fromHub = Directions(rawValue: 2)
        /// Both ways.
        public static let both: Directions = [.toHub, .fromHub]
    }

    /// The ends of a connection that receive a reset.
    public struct Ends: OptionSet, Sendable, Hashable {
        /// The bits of the set, one for each end.
        public let rawValue: Int

        /// A set of ends.
        ///
        /// - Parameter rawValue: The bits of the set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The client.
        public static let client = Ends(rawValue: 1)
        /// The hub.
        public static let hub = Ends(rawValue: 2)
        /// Both.
        public static let both: Ends = [.client, .hub]
    }

    /// The delay and the rate of one direction.
    public struct Slowness: Sendable {
        /// The range of random delays, one for each piece; none overtakes another, as over TCP.
        public var delay: ClosedRange<Duration>
        /// The rate in bytes a second; nil: no limit.
        public var bytesPerSecond: Int?

        /// A slow direction.
        ///
        /// - Parameters:
        ///   - delay: The range from the shortest to the longest delay.
        ///   - bytesPerSecond: The rate, more than 0; nil: no limit.
        public init(delay: ClosedRange<Duration> = .zero ... .zero, bytesPerSecond: Int? = nil) {
            self.delay = delay
            self.bytesPerSecond = bytesPerSecond
        }
    }

    /// The numbers of connections and bytes that have passed.
    public struct Counts: Sendable, Equatable {
        /// Connections accepted from clients.
        public var connections = 0
        /// Bytes passed to the hub.
        public var bytesToHub = 0
        /// Bytes passed to clients.
        public var bytesFromHub = 0
    }

    /// The TCP port on 127.0.0.1 that clients connect to.
    public let port: Int
    private let worker: FaultyLinkWorker

    /// Creates a link that forwards everything.
    ///
    /// - Parameter hubPort: The hub's TCP port on 127.0.0.1.
    /// - Throws: ``RawSocketError/connectFailed(code:)`` when the system has no socket left.
    public init(to hubPort: Int) throws {
        worker = try FaultyLinkWorker(hubPort: hubPort)
        port = worker.port
        let worker = worker
        let thread = Thread { worker.run() }
        thread.name = "link"
        thread.start()
    }

    deinit {
        worker.stop()
    }

    /// Stalls these directions: bytes are queued, and new connections are accepted but receive nothing.
    ///
    /// - Parameter directions: The directions that stop; the others pass.
    public func stallTraffic(_ directions: Directions = .both) {
        worker.perform { $0.silent = directions }
    }

    /// Delays bytes, or lets them pass at full speed again.
    ///
    /// - Parameters:
    ///   - slowness: The delay and the rate; nil: none.
    ///   - directions: The directions to change; the others stay as they are.
    public func setSlowness(_ slowness: Slowness?, _ directions: Directions = .both) {
        worker.perform { worker in
            if directions.contains(.toHub) { worker.slowness.toHub = slowness }
            if directions.contains(.fromHub) { worker.slowness.fromHub = slowness }
        }
    }

    /// Abandons the present connections, as a router does that was restarted: neither end is ever notified.
    public func abandonConnections() {
        worker.perform { worker in for index in worker.pairs.indices { worker.pairs[index].isAbandoned = true } }
    }

    /// Resets the present connections.
    ///
    /// - Parameter ends: The ends that receive the reset; for the other end the connection is as abandoned.
    public func reset(_ ends: Ends = .both) {
        worker.perform { $0.reset(ends) }
    }

    /// Resets new connections as soon as they are made.
    public func refuse() {
        worker.perform { $0.refuses = true }
    }

    /// Restores the link: it forwards everything, queued bytes first; abandoned connections stay abandoned.
    public func restore() {
        worker.perform {
            $0.silent = []
            $0.refuses = false
        }
    }

    /// The numbers of connections and bytes so far.
    public var counts: Counts { worker.perform { $0.counts } }
}
