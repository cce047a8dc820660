/// The reasons for which a call ends that its user has not ended; an end by the user is a ``CXEndCallAction``.
public enum CXCallEndedReason: Int, Sendable {
    /// An error occurred while the call was serviced.
    case failed = 1
    /// The other party ended the call explicitly.
    case remoteEnded = 2
    /// The call never started to connect, and nobody ended it explicitly: nobody answered in time.
    case unanswered = 3
    /// The user answered the call on another device.
    case answeredElsewhere = 4
    /// The user declined the call on another device.
    case declinedElsewhere = 5
}
