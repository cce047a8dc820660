import BenchmarkSupport
import Foundation

/// A program that is measured: it places calls and acts on them.
protocol Caller: Sendable {
    /// The name in tables.
    var name: String { get }
    /// Starts a call to the hub's echo, and returns when it is connected.
    func start() async throws -> UUID
    /// Mutes or unmutes a call, and returns when that is accepted.
    func mute(_ call: UUID, _ isMuted: Bool) async throws
    /// Ends a call, and returns when it has ended.
    func end(_ call: UUID) async throws
    /// Ends the session.
    func close() async
}

/// The calls whose next state is waited for.
final class CallWaiters: @unchecked Sendable {
    /// The states that are waited for.
    enum State: Hashable {
        case connected
        case ended
    }

    private struct Key: Hashable {
        let call: UUID
        let state: State
    }

    private let lock = NSLock()
    private var waiters: [Key: CheckedContinuation<Void, Never>] = [:]
    private var reached: Set<Key> = []

    /// Notes that a call has reached a state.
    func note(_ call: UUID, _ state: State) {
        let key = Key(call: call, state: state)
        let waiter = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            if let waiter = waiters.removeValue(forKey: key) { return waiter }
            reached.insert(key)
            return nil
        }
        waiter?.resume()
    }

    /// Waits until a call has reached a state.
    func wait(for call: UUID, _ state: State) async {
        let key = Key(call: call, state: state)
        await withCheckedContinuation { waiter in
            let isThere = lock.withLock {
                let isThere = reached.remove(key) != nil
                if !isThere { waiters[key] = waiter }
                return isThere
            }
            if isThere { waiter.resume() }
        }
    }
}
