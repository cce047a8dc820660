import Synchronization

/// Messages received while authentication is pending; replayed in order afterwards.
struct PendingSignIns {
    /// A connection whose sign-in is being verified.
    private struct PendingConnection {
        let cancellationFlag = CancellationFlag()
        var texts: [[UInt8]] = []
        var byteCount = 0
    }

    private var connections: [ConnectionID: PendingConnection] = [:]

    /// Begins to queue the messages of a connection.
    ///
    /// - Parameter id: A connection whose messages are not queued yet.
    /// - Returns: A flag that can be read on any thread; `isWaiting` is true until `end`.
    mutating func begin(_ id: ConnectionID) -> CancellationFlag {
        let pendingConnection = PendingConnection()
        connections[id] = pendingConnection
        return pendingConnection.cancellationFlag
    }

    /// Indicates that the messages of a connection are queued.
    ///
    /// - Parameter id: The connection; it may be unknown.
    /// - Returns: True from `begin` to `end`.
    func contains(_ id: ConnectionID) -> Bool { connections[id] != nil }

    /// Queues a message.
    ///
    /// - Parameters:
    ///   - text: The whole text message.
    ///   - id: A connection whose messages are queued.
    /// - Returns: False if the queue is full.
    mutating func enqueue(_ text: UnsafeRawBufferPointer, of id: ConnectionID) -> Bool {
        guard var pendingConnection = connections[id], pendingConnection.byteCount + text.count <= Self.maximumBytes
        else {
            return false
        }
        connections[id] = nil
        pendingConnection.texts.append([UInt8](text))
        // Even a short message has the overhead of an array.
        pendingConnection.byteCount += text.count + 64
        connections[id] = pendingConnection
        return true
    }

    /// Stops queueing the messages of a connection.
    ///
    /// - Parameter id: The connection; it may be unknown.
    /// - Returns: The queued messages, the oldest first.
    mutating func end(_ id: ConnectionID) -> [[UInt8]] {
        guard let pendingConnection = connections.removeValue(forKey: id) else { return [] }
        pendingConnection.cancellationFlag.end()
        return pendingConnection.texts
    }

    /// The maximum number of bytes queued for one connection.
    ///
    /// More: clients may send more before they are signed in; more memory for unauthenticated clients.
    private static let maximumBytes = 262_144
}

/// A flag that a client still waits for a verification; safe on any thread.
final class CancellationFlag: Sendable {
    private let isCancelled = Atomic(false)

    /// False: the client is gone, or has been answered.
    var isWaiting: Bool { !isCancelled.load(ordering: .relaxed) }

    /// Notes that the client is gone, or has been answered.
    func end() { isCancelled.store(true, ordering: .relaxed) }
}
