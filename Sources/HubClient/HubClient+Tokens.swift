import Foundation
import HubEngine
import HubWire

// A session that a token has opened goes on with a newer one.
extension HubClient {
    /// Shows the hub each newer token, as soon as it is seen that there is one, until the client is over.
    ///
    /// - Parameters:
    ///   - freshToken: Knows the newest one.
    ///   - longestWait: How long at most it is not asked.
    func keepTokenFresh(by freshToken: @escaping @Sendable () -> String?, every longestWait: Duration) {
        Task { [weak self] in
            var lastShown: String?
            while let wait = self?.timeToNextToken(longestWait) {
                try? await Task.sleep(for: wait)
                guard let self, let token = freshToken() else { continue }
                guard token != self.state.token, token != lastShown else { continue }
                do throws(HubClientError) {
                    try await self.refresh(token: token)
                    lastShown = token
                } catch {
                    // One that the hub has refused is not shown again; while the connection is lost it is too early.
                    if case .refused = error { lastShown = token }
                }
            }
        }
    }

    /// How long to wait before looking for a newer token; nil: the session needs none, or is over.
    private func timeToNextToken(_ longestWait: Duration) -> Duration? {
        guard !state.isOver, let end = session?.expiresAt else { return nil }
        let now = Instant(nanoseconds: Int64(clamping: Int(Date().timeIntervalSince1970 * 1e9)))
        return min(max(end.since(now) / 4, Self.leastWait), longestWait)
    }

    /// Shorter: a newer token is found a moment sooner; more is read for nothing.
    private static let leastWait = Duration.milliseconds(500)
}
