import Foundation

/// A network between clients and a hub on this machine that fails when it is told to: a TCP proxy on a thread of its own.
///
/// Every order has been carried out when its method returns. Safe on any thread.
public final class FaultyLink: Sendable {
    /// Which way bytes go.
    public struct Directions: OptionSet, Sendable, Hashable {
        /// One bit each.
        public let rawValue: Int

        /// A set of directions.
        ///
        /// - Parameter rawValue: Bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// From the clients to the hub.
        public static let toHub = Directions(rawValue: 1)
        /// From the hub to the clients.
        public static let fromHub = Directions(rawValue: 2)
        /// Both ways.
        public static let both: Directions = [.toHub, .fromHub]
    }

    /// Which ends of a connection hear of a reset.
    public struct Ends: OptionSet, Sendable, Hashable {
        /// One bit each.
        public let rawValue: Int

        /// A set of ends.
        ///
        /// - Parameter rawValue: Bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The client.
        public static let client = Ends(rawValue: 1)
        /// The hub.
        public static let hub = Ends(rawValue: 2)
        /// Both.
        public static let both: Ends = [.client, .hub]
    }

    /// How slow one way is.
    public struct Slowness: Sendable {
        /// How much later a piece comes through, at random, each for itself; none overtakes another, as over TCP.
        public var delay: ClosedRange<Duration>
        /// How many bytes a second go through; nil: all.
        public var bytesPerSecond: Int?

        /// A slow way.
        ///
        /// - Parameters:
        ///   - delay: From the shortest to the longest.
        ///   - bytesPerSecond: More than 0; nil: all.
        public init(delay: ClosedRange<Duration> = .zero ... .zero, bytesPerSecond: Int? = nil) {
            self.delay = delay
            self.bytesPerSecond = bytesPerSecond
        }
    }

    /// What has passed.
    public struct Counts: Sendable, Equatable {
        /// Connections taken from clients.
        public var connections = 0
        /// Bytes passed to the hub.
        public var bytesToHub = 0
        /// Bytes passed to clients.
        public var bytesFromHub = 0
    }

    /// Where clients connect to.
    public let port: Int
    private let wires: FaultyWires

    /// A link that passes everything on.
    ///
    /// - Parameter hubPort: On 127.0.0.1.
    /// - Throws: ``RawSocketError/connectFailed(code:)`` when the system has no socket left.
    public init(to hubPort: Int) throws {
        wires = try FaultyWires(hubPort: hubPort)
        port = wires.port
        let wires = wires
        let thread = Thread { wires.run() }
        thread.name = "link"
        thread.start()
    }

    deinit {
        wires.stop()
    }

    /// Moves no byte in these directions; bytes wait, and new connections are taken but hear nothing.
    ///
    /// - Parameter directions: Those that fall silent; the others pass.
    public func goSilent(_ directions: Directions = .both) {
        wires.perform { $0.silent = directions }
    }

    /// Lets bytes through late, or as fast as it can again.
    ///
    /// - Parameters:
    ///   - slowness: How late; nil: not at all.
    ///   - directions: Which ways; the others stay as they are.
    public func slowDown(_ slowness: Slowness?, _ directions: Directions = .both) {
        wires.perform { wires in
            if directions.contains(.toHub) { wires.slowness.toHub = slowness }
            if directions.contains(.fromHub) { wires.slowness.fromHub = slowness }
        }
    }

    /// Forgets the connections there are, as a router that was started anew: neither end hears of it, ever.
    public func abandonConnections() {
        wires.perform { wires in for index in wires.pairs.indices { wires.pairs[index].isAbandoned = true } }
    }

    /// Resets all connections there are.
    ///
    /// - Parameter ends: Who hears of it; for the other end the connection is as abandoned.
    public func reset(_ ends: Ends = .both) {
        wires.perform { $0.reset(ends) }
    }

    /// Resets new connections as soon as they come.
    public func refuse() {
        wires.perform { $0.refuses = true }
    }

    /// Passes everything on from now on, what waited first; connections that were abandoned stay so.
    public func comeBack() {
        wires.perform {
            $0.silent = []
            $0.refuses = false
        }
    }

    /// What has passed so far.
    public var counts: Counts { wires.perform { $0.counts } }
}
