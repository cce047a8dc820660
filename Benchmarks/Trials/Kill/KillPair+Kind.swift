import HubClient

extension KillPair {
    /// How a call goes.
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

extension KillPair.Kind {
    /// What it is in the caller's Recents.
    var outcomeForCaller: RecentCall.Outcome {
        switch self {
        case .hungUp, .hungUpByCallee: .answered
        case .declined: .declined
        case .cancelled, .silenced, .blocked: .cancelled
        case .away, .unknown: .failed
        }
    }

    /// What it is in the callee's; nil: there is no entry (nobody is called, or the caller is blocked).
    var outcomeForCallee: RecentCall.Outcome? {
        switch self {
        case .hungUp, .hungUpByCallee: .answered
        case .declined: .declined
        case .cancelled, .silenced, .away: .missed
        case .blocked, .unknown: nil
        }
    }
}
