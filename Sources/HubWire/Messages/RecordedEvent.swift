public import HubEngine

/// A notification to another device of the account, or a change of its session, for a recorder (`record.told`).
public struct RecordedEvent: Hashable, Sendable {
    /// The kind of a recorded event.
    public enum Content: Hashable, Sendable {
        /// A notification that the hub sent to the device.
        case notified(WireNotification)
        /// A change of the device's session.
        case session(SessionChange)
    }

    /// The device's identifier.
    public var deviceID: String
    /// The device's name for people.
    public var deviceName: String?
    /// The time by the hub's clock.
    public var at: Instant
    /// The number of the engine's event that caused it; the same number, in any account, means the same event.
    public var event: UInt64
    /// The identifier of the conversation, the same for both parties; nil: there is no call, or it is gone.
    public var conversation: String?
    /// The notification, or the change of the session.
    public var content: Content

    /// Creates a recorded event.
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

    /// The method of the notification, or the name of the session's change.
    var method: String {
        switch content {
        case .notified(let notification): notification.method
        case .session(let event): event.rawValue
        }
    }
}

/// A change of a session, by its name in `record.told`.
public enum SessionChange: String, Hashable, Sendable, CaseIterable {
    /// The session was open when the recorder signed in, or was opened.
    case opened = "session.opened"
    /// The session's connection was lost.
    case lost = "session.lost"
    /// The session was resumed.
    case resumed = "session.resumed"
    /// The session has ended.
    case closed = "session.closed"
}
