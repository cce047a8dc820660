import Foundation
import HubEngine
import HubWire

// Refreshes a session that was opened with a token.
extension HubClient {
    /// Polls the token provider and sends each newer token to the hub, until the client has ended.
    ///
    /// - Parameters:
    ///   - tokenProvider: The closure that returns the newest token.
    ///   - maximumInterval: The maximum interval between its calls.
    func pollTokens(by tokenProvider: @escaping @Sendable () -> String?, every maximumInterval: Duration) {
        Task { [weak self] in
            var lastSentToken: String?
            while let wait = self?.timeUntilNextPoll(maximumInterval) {
                try? await Task.sleep(for: wait)
                guard let self, let token = tokenProvider() else { continue }
                guard token != self.state.token, token != lastSentToken else { continue }
                do throws(HubClientError) {
                    try await self.refresh(token: token)
                    lastSentToken = token
                } catch {
                    // A refused token is not sent again; after other errors, such as a lost connection, it is.
                    if case .refused = error { lastSentToken = token }
                }
            }
        }
    }

    /// The time to wait before the next call for a newer token; nil: the session does not expire, or has ended.
    private func timeUntilNextPoll(_ maximumInterval: Duration) -> Duration? {
        guard !state.isOver, let end = session?.expiresAt else { return nil }
        let now = Instant(nanoseconds: Int64(clamping: Int(Date().timeIntervalSince1970 * 1e9)))
        return min(max(end.since(now) / 4, Self.minimumWait), maximumInterval)
    }

    /// Shorter: a newer token is found a moment sooner; more needless reads.
    private static let minimumWait = Duration.milliseconds(500)
}
