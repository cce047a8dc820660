public import HubEngine

/// What another device of the account was told, or what happened to its session: for whoever records (`record.told`).
public struct RecordedNews: Hashable, Sendable {
    /// What it is.
    public enum Content: Hashable, Sendable {
        /// The device was told something.
        case told(WireNotification)
        /// Something happened to its session.
        case session(SessionNews)
    }

    /// The device, by its own name for itself.
    public var deviceID: String
    /// The device's name for people.
    public var deviceName: String?
    /// When, by the hub's clock.
    public var at: Instant
    /// The number of the event that it comes of; what has the same number, over all accounts, comes of one thing.
    public var event: UInt64
    /// The conversation whose end the call is: the other end's news name the same; nil: it is about no call, or one that is gone.
    public var conversation: String?
    /// What the device was told, or what happened.
    public var content: Content

    /// News of their parts.
    public init(
        deviceID: String,
        deviceName: String?,
        at: Instant,
        event: UInt64,
        conversation: String?,
        content: Content
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.at = at
        self.event = event
        self.conversation = conversation
        self.content = content
    }

    /// The method of the notification, or the word for what happened to the session.
    var method: String {
        switch content {
        case .told(let notification): notification.method
        case .session(let news): news.rawValue
        }
    }
}

/// What happens to a session, by the word of `record.told`.
public enum SessionNews: String, Hashable, Sendable, CaseIterable {
    /// It was there already when the recording began, or has signed in.
    case opened = "session.opened"
    /// Its connection is lost.
    case lost = "session.lost"
    /// It was taken up again.
    case resumed = "session.resumed"
    /// It is over.
    case closed = "session.closed"
}
