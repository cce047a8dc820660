import Synchronization

/// What connections have sent while it is being found out who they are: read afterwards, in its order.
struct Parking {
    /// A connection whose sign-in is being looked at.
    private struct Place {
        let attendance = Attendance()
        var texts: [[UInt8]] = []
        var byteCount = 0
    }

    private var places: [ConnectionID: Place] = [:]

    /// Begins to keep what a connection sends.
    ///
    /// - Parameter id: One that is not kept yet.
    /// - Returns: Says on any thread whether it still waits.
    mutating func begin(_ id: ConnectionID) -> Attendance {
        let place = Place()
        places[id] = place
        return place.attendance
    }

    /// Whether what a connection sends is kept.
    ///
    /// - Parameter id: Any name.
    /// - Returns: True from `begin` to `end`.
    func contains(_ id: ConnectionID) -> Bool { places[id] != nil }

    /// Keeps a text.
    ///
    /// - Parameters:
    ///   - text: Whole.
    ///   - id: One that is kept.
    /// - Returns: False where it keeps too many already.
    mutating func keep(_ text: UnsafeRawBufferPointer, of id: ConnectionID) -> Bool {
        guard var place = places[id], place.byteCount + text.count <= Self.mostBytes else { return false }
        places[id] = nil
        place.texts.append([UInt8](text))
        // A short text is no small thing either.
        place.byteCount += text.count + 64
        places[id] = place
        return true
    }

    /// Ends it.
    ///
    /// - Parameter id: Any name.
    /// - Returns: What was kept, the oldest first.
    mutating func end(_ id: ConnectionID) -> [[UInt8]] {
        guard let place = places.removeValue(forKey: id) else { return [] }
        place.attendance.end()
        return place.texts
    }

    /// Of one connection.
    ///
    /// More: clients that send much before they know whether they are let in; more memory for strangers.
    private static let mostBytes = 262_144
}

/// Whether somebody still waits to be let in; safe on any thread.
final class Attendance: Sendable {
    private let isOver = Atomic(false)

    /// False: he is gone, or has heard.
    var goesOn: Bool { !isOver.load(ordering: .relaxed) }

    /// He is gone, or has heard.
    func end() { isOver.store(true, ordering: .relaxed) }
}
