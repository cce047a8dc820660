/// CXCallEndedReason with Apple's raw values; a local hang-up has none (callkit-semantics.md 1.9).
public enum EndReason: Int, Hashable, Sendable, CaseIterable {
    /// An error while the call was serviced.
    case failed = 1
    /// The other party ended it.
    case remoteEnded = 2
    /// Nobody answered in time.
    case unanswered = 3
    /// Another device of this user answered.
    case answeredElsewhere = 4
    /// Another device of this user declined.
    case declinedElsewhere = 5
}

/// The cause of a call's end, finer than CallKit's reasons: the `cause` of the call's last snapshot.
public enum EndCause: String, Hashable, Sendable, CaseIterable {
    /// Every device of the callee has its maximum number of calls (decision D2).
    case busy
    /// The callee declined.
    case declined
    /// The caller hung up before anybody answered.
    case cancelled
    /// No account or built-in party has the handle.
    case unknownHandle
    /// The callee has no device signed in, or none signed in in time after a push.
    case offline
    /// A deadline passed: nobody answered, or the client did not perform the action in time.
    case timeout
    /// The client failed the action.
    case actionFailed
    /// The connection of a party's device was lost and not resumed within the grace period.
    case connectionLost
    /// The party's provider was invalidated.
    case providerInvalidated
    /// Another device of the same account has pulled the call.
    case pulled
    /// The call's owner has transferred it.
    case transferred
    /// The hub was shut down.
    case shutdown
    /// An administrator has ended the call.
    case administrator
}
