import Foundation
public import HubEngine

/// The token buckets of push messages: for each callee, for each caller, and for each caller and callee together.
///
/// Safe on any thread.
public final class PushRateLimits: @unchecked Sendable {
    private struct Pair: Hashable {
        let callee: FoldedName
        let caller: Handle
    }

    private let lock = NSLock()
    // Access to all below only with the lock held.
    private var callees: KeyedTokenBuckets<FoldedName>
    private var callers: KeyedTokenBuckets<Handle>
    /// Half the rate of a callee, so that one caller leaves tokens for the others.
    private var pairs: KeyedTokenBuckets<Pair>
    private var refused = 0

    /// Makes limits with full buckets.
    ///
    /// - Parameters:
    ///   - toAccountPerMinute: The messages per minute for one callee, and the burst; at least 1.
    ///   - byCallerPerMinute: The messages per minute that one caller may cause, and the burst; at least 1.
    public init(toAccountPerMinute: Int, byCallerPerMinute: Int) {
        let (callee, caller) = (Double(max(toAccountPerMinute, 1)), Double(max(byCallerPerMinute, 1)))
        callees = KeyedTokenBuckets(burst: callee, perSecond: callee / 60)
        callers = KeyedTokenBuckets(burst: caller, perSecond: caller / 60)
        pairs = KeyedTokenBuckets(burst: max(1, callee / 2), perSecond: callee / 120)
    }

    /// Takes tokens for the messages of one call.
    ///
    /// - Parameters:
    ///   - count: The number of messages to send, at least 0.
    ///   - pushRequest: The push request, which names caller and callee.
    ///   - now: The time.
    /// - Returns: The number of messages that may be sent, 0 to `count`.
    public func take(_ count: Int, for pushRequest: PushRequest, at now: Instant) -> Int {
        let pair = Pair(callee: FoldedName(pushRequest.account), caller: pushRequest.caller.key)
        return lock.withLock {
            var taken = 0
            while taken < count, take(pair, at: now.nanoseconds) { taken += 1 }
            refused += count - taken
            return taken
        }
    }

    /// The number of messages that were not sent for lack of tokens.
    public var refusedCount: Int { lock.withLock { refused } }

    /// Takes one token out of each bucket, or none out of any.
    private func take(_ pair: Pair, at now: Int64) -> Bool {
        guard callees.delay(of: pair.callee, at: now) == 0, callers.delay(of: pair.caller, at: now) == 0,
            pairs.delay(of: pair, at: now) == 0
        else { return false }
        return callees.consume(of: pair.callee, at: now) && callers.consume(of: pair.caller, at: now)
            && pairs.consume(of: pair, at: now)
    }
}
