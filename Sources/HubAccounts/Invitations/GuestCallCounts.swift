import Foundation
import HubEngine
import HubStore

/// The calls of invitations' guests, counted in memory, so that guests at the same time do not exceed the number.
///
/// The store's count follows: a hub that is killed in between has forgotten calls that were just started.
final class GuestCallCounts: @unchecked Sendable {
    private struct Count {
        var calls: Int
        let maximum: Int?
    }

    private let lock = NSLock()
    private var counts: [InvitationID: Count] = [:]

    init() {}

    /// Notes an invitation of which a guest signs in.
    ///
    /// - Returns: False if no call is left.
    func note(_ id: InvitationID, _ calls: StoredInvitation.GuestCalls) -> Bool {
        lock.withLock {
            let count = counts[id] ?? Count(calls: calls.calls, maximum: calls.maximumCalls)
            counts[id] = count
            return count.calls < count.maximum ?? .max
        }
    }

    /// Takes calls of those that are left; false: fewer are.
    func take(_ number: Int, of id: InvitationID) -> Bool {
        lock.withLock {
            guard let count = counts[id] else { return true }
            guard number <= (count.maximum ?? .max) - count.calls else { return false }
            counts[id]?.calls += number
            return true
        }
    }

    /// Gives calls back that were taken and not started.
    func giveBack(_ number: Int, of id: InvitationID) {
        lock.withLock { counts[id]?.calls -= number }
    }
}
