import Synchronization

/// Messages received while authentication is pending; replayed in order afterwards.
struct Parking {
    /// A connection whose sign-in is being verified.
    private struct Place {
        let attendance = Attendance()
        var texts: [[UInt8]] = []
        var byteCount = 0
    }

    private var places: [ConnectionID: Place] = [:]

    /// Begins to queue the messages of a connection.
    ///
    /// - Parameter id: A connection whose messages are not queued yet.
    /// - Returns: A flag that can be read on any thread; `goesOn` is true until `end`.
    mutating func begin(_ id: ConnectionID) -> Attendance {
        let place = Place()
        places[id] = place
        return place.attendance
    }

    /// Indicates that the messages of a connection are queued.
    ///
    /// - Parameter id: The connection; it may be unknown.
    /// - Returns: True from `begin` to `end`.
    func contains(_ id: ConnectionID) -> Bool { places[id] != nil }

    /// Queues a message.
    ///
    /// - Parameters:
    ///   - text: The whole text message.
    ///   - id: A connection whose messages are queued.
    /// - Returns: False if the queue is full.
    mutating func keep(_ text: UnsafeRawBufferPointer, of id: ConnectionID) -> Bool {
        guard var place = places[id], place.byteCount + text.count <= Self.mostBytes else { return false }
        places[id] = nil
        place.texts.append([UInt8](text))
        // Even a short message has the overhead of an array.
        place.byteCount += text.count + 64
        places[id] = place
        return true
    }

    /// Stops queueing the messages of a connection.
    ///
    /// - Parameter id: The connection; it may be unknown.
    /// - Returns: The queued messages, the oldest first.
    mutating func end(_ id: ConnectionID) -> [[UInt8]] {
        guard let place = places.removeValue(forKey: id) else { return [] }
        place.attendance.end()
        return place.texts
    }

    /// The maximum number of bytes queued for one connection.
    ///
    /// More: clients may send more before they are signed in; more memory for unauthenticated clients.
    private static let mostBytes = 262_144
}

/// A flag that a client still waits for a verification; safe on any thread.
final class Attendance: Sendable {
    private let isOver = Atomic(false)

    /// False: the client is gone, or has been answered.
    var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    /// Notes that the client is gone, or has been answered.
    func end() { isOver.store(true, ordering: .relaxed) }
}
