import BenchmarkSupport
import HubClient
import Synchronization

/// A client of a hub that will be killed: what it was told stays known after the hub's end.
final class KillPhone: Sendable {
    private struct State {
        var calls: [CallUUID: CallSnapshot] = [:]
        /// Calls that came in, the oldest first, until somebody takes them.
        var rung: [CallUUID] = []
        var isOver = false
        /// How often anything has changed.
        var version = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let client: HubClient
    private let state = Mutex(State())

    private init(_ client: HubClient) {
        self.client = client
    }

    /// Signs in.
    static func connect(to url: String, as account: String, device: String = "d") async throws(BenchmarkError)
        -> KillPhone
    {
        var options = ClientOptions()
        options.deviceID = device
        // Nothing is tried after a loss: the hub that it had is dead, and the next one listens elsewhere.
        options.timing.givesUpAfter = .zero
        let phone: KillPhone
        do throws(HubClientError) {
            phone = KillPhone(try await HubClient.connect(to: url, account: account, options: options))
        } catch {
            throw BenchmarkError("\(account) cannot sign in: \(error)")
        }
        Task {
            for await event in phone.client.events { phone.note(event) }
            phone.change { $0.isOver = true }
        }
        return phone
    }

    private func note(_ event: ClientEvent) {
        guard case .notification(.callChanged(let call)) = event else { return }
        change {
            if !call.isOutgoing, $0.calls[call.uuid] == nil { $0.rung.append(call.uuid) }
            $0.calls[call.uuid] = call
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state in
            body(&state)
            state.version += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume() }
    }

    // MARK: Calls

    /// The call when it is as wanted, or over; nil: the hub has gone before.
    func call(_ uuid: CallUUID, when isWanted: (CallSnapshot) -> Bool) async -> CallSnapshot? {
        await wait { state in
            guard let call = state.calls[uuid], isWanted(call) || call.hasEnded else { return nil }
            return call
        }
    }

    /// The oldest call that came in and was not yet taken; nil: the hub has gone before.
    func incoming() async -> CallSnapshot? {
        await wait { state in state.rung.first.flatMap { state.calls[$0] } }
    }

    /// The oldest call that came in and was not yet taken, if there is any.
    var untaken: CallSnapshot? { state.withLock { state in state.rung.first.flatMap { state.calls[$0] } } }

    /// The call as it was told last.
    func last(_ uuid: CallUUID) -> CallSnapshot? { state.withLock { $0.calls[uuid] } }

    /// The call is dealt with.
    func forget(_ uuid: CallUUID) {
        state.withLock {
            $0.calls[uuid] = nil
            $0.rung.removeAll { $0 == uuid }
        }
    }

    /// Waits until all that the hub has said before its end is noted.
    func ended() async {
        let _: Bool? = await wait { _ in nil }
    }

    private func wait<Value>(for look: (State) -> Value?) async -> Value? {
        while true {
            let (value, version, isOver) = state.withLock { (look($0), $0.version, $0.isOver) }
            if value != nil || isOver { return value }
            await withCheckedContinuation { continuation in
                let hasChanged = state.withLock { state in
                    guard state.version == version else { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if hasChanged { continuation.resume() }
            }
        }
    }

    // MARK: What the hub remembers

    /// All Recents of the account, the oldest first.
    func recents() async throws(HubClientError) -> [RecentEntry] {
        var entries: [RecentEntry] = []
        while true {
            let page = try await client.recents(limit: 1_000, before: entries.last?.call.id)
            entries += page
            if page.count < 1_000 { return entries.reversed() }
        }
    }
}
