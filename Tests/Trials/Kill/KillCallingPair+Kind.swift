import HubClient

extension KillCallingPair {
    /// The courses that a call can take.
    enum Kind: String, CaseIterable {
        case hungUp = "hung up by the caller"
        case hungUpByCallee = "hung up by the callee"
        case declined
        case cancelled
        case silenced
        case blocked
        case away = "to somebody who is away"
        case unknown = "to nobody"
    }
}

extension KillCallingPair.Kind {
    /// The outcome in the caller's Recents.
    var outcomeForCaller: RecentCall.Outcome {
        switch self {
        case .hungUp, .hungUpByCallee: .answered
        case .declined: .declined
        case .cancelled, .silenced, .blocked: .cancelled
        case .away, .unknown: .failed
        }
    }

    /// The outcome in the callee's Recents; nil: there is no entry, since there is no callee or the caller is blocked.
    var outcomeForCallee: RecentCall.Outcome? {
        switch self {
        case .hungUp, .hungUpByCallee: .answered
        case .declined: .declined
        case .cancelled, .silenced, .away: .missed
        case .blocked, .unknown: nil
        }
    }
}
