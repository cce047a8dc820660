/// What connections have sent while it is being found out who they are: read afterwards, in its order.
struct Parking {
    /// A connection whose sign-in is being looked at.
    private struct Place {
        var texts: [[UInt8]] = []
        var byteCount = 0
    }

    private var places: [ConnectionID: Place] = [:]

    /// Begins to keep what a connection sends.
    mutating func begin(_ id: ConnectionID) {
        places[id] = Place()
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
        places.removeValue(forKey: id)?.texts ?? []
    }

    /// Of one connection.
    ///
    /// More: clients that send much before they know whether they are let in; more memory for strangers.
    private static let mostBytes = 262_144
}
