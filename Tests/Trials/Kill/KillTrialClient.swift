import BenchmarkSupport
import HubAccountData
import HubClient
import Synchronization

/// A client of a hub that will be killed, which keeps the notifications it has received after the hub's end.
final class KillTrialClient: Sendable {
    private struct State {
        var calls: [CallUUID: CallSnapshot] = [:]
        /// Incoming calls that no one has dealt with yet, the oldest first.
        var rung: [CallUUID] = []
        var isOver = false
        /// The number of changes so far.
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
        -> KillTrialClient
    {
        var options = ClientOptions()
        options.deviceID = device
        // No reconnection after a loss: the hub is dead, and the next one listens elsewhere.
        options.timing.reconnectTimeout = .zero
        let phone: KillTrialClient
        do throws(HubClientError) {
            phone = KillTrialClient(try await HubClient.connect(to: url, account: account, options: options))
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

    /// Waits for a state of the call, or its end; nil: the hub ended before.
    func call(_ uuid: CallUUID, when isWanted: (CallSnapshot) -> Bool) async -> CallSnapshot? {
        await wait { state in
            guard let call = state.calls[uuid], isWanted(call) || call.hasEnded else { return nil }
            return call
        }
    }

    /// Waits for the oldest incoming call that is not dealt with; nil: the hub ended before.
    func incoming() async -> CallSnapshot? {
        await wait { state in state.rung.first.flatMap { state.calls[$0] } }
    }

    /// The oldest incoming call that is not dealt with, if there is any.
    var nextIncoming: CallSnapshot? { state.withLock { state in state.rung.first.flatMap { state.calls[$0] } } }

    /// Returns the last snapshot received of the call.
    func last(_ uuid: CallUUID) -> CallSnapshot? { state.withLock { $0.calls[uuid] } }

    /// Removes a call that has been dealt with.
    func forget(_ uuid: CallUUID) {
        state.withLock {
            $0.calls[uuid] = nil
            $0.rung.removeAll { $0 == uuid }
        }
    }

    /// Waits until all notifications that the hub sent before its end are recorded.
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

    // MARK: Recents

    /// Returns all Recents of the account, the oldest first.
    func recents() async throws(HubClientError) -> [RecentEntry] {
        var entries: [RecentEntry] = []
        while true {
            let page = try await client.recents(limit: 1_000, before: entries.last?.call.id)
            entries += page
            if page.count < 1_000 { return entries.reversed() }
        }
    }
}
