import Foundation
import HubEngine
import HubWire

// A session that was opened with a token continues with a newer one.
extension HubClient {
    /// Sends each newer token to the hub as soon as it is found, until the client has ended.
    ///
    /// - Parameters:
    ///   - tokenProvider: The closure that returns the newest token.
    ///   - longestWait: The maximum interval between its calls.
    func keepTokenFresh(by tokenProvider: @escaping @Sendable () -> String?, every longestWait: Duration) {
        Task { [weak self] in
            var lastShown: String?
            while let wait = self?.timeToNextToken(longestWait) {
                try? await Task.sleep(for: wait)
                guard let self, let token = tokenProvider() else { continue }
                guard token != self.state.token, token != lastShown else { continue }
                do throws(HubClientError) {
                    try await self.refresh(token: token)
                    lastShown = token
                } catch {
                    // A refused token is not sent again; after other errors, such as a lost connection, it is.
                    if case .refused = error { lastShown = token }
                }
            }
        }
    }

    /// The time to wait before the next call for a newer token; nil: the session does not expire, or has ended.
    private func timeToNextToken(_ longestWait: Duration) -> Duration? {
        guard !state.isOver, let end = session?.expiresAt else { return nil }
        let now = Instant(nanoseconds: Int64(clamping: Int(Date().timeIntervalSince1970 * 1e9)))
        return min(max(end.since(now) / 4, Self.minimumWait), longestWait)
    }

    /// Shorter: a newer token is found a moment sooner; more needless reads.
    private static let minimumWait = Duration.milliseconds(500)
}
