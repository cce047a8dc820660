import HubEngine

/// The times at which a failed order is tried again.
enum RetrySchedule {
    private static let shortest = Duration.seconds(60)
    private static let longest = Duration.seconds(12 * 3_600)
    /// The wait for a limit whose end is not known.
    private static let unknownLimit = Duration.seconds(3_600)

    /// Returns the next date at which to try.
    ///
    /// The wait grows fourfold, from 1 min to 12 h: that is four attempts in the first hour, and Let's Encrypt allows
    /// five failed validations of a name in an hour.
    ///
    /// - Parameters:
    ///   - failures: The number of failures one after the other, 1 or more.
    ///   - failure: The last failure.
    ///   - retryAfter: The `Retry-After` of the last response, in seconds; nil: none.
    ///   - date: The date of the failure.
    /// - Returns: The date, a week from now at the latest.
    static func next(after failures: Int, _ failure: ACMEFailure, retryAfter: Int?, at date: Instant) -> Instant {
        var wait = shortest
        for _ in 1..<max(2, min(failures, 12)) where failures > 1 { wait = min(wait * 4, longest) }
        var next = date + wait
        let longestLimit = ACMEFailure.longestLimitSeconds
        if let retryAfter { next = max(next, date + .seconds(min(max(retryAfter, 0), longestLimit))) }
        switch failure {
        case .rateLimited(let until?, _): next = max(next, until)
        case .rateLimited(nil, _): next = max(next, date + unknownLimit)
        default: break
        }
        return min(next, date + .seconds(longestLimit))
    }
}
