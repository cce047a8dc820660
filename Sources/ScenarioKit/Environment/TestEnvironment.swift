import HubEngine
package import HubWire

/// The environment of a run: a hub, a clock, and connections from devices to the hub.
///
/// It is used on one thread: the run issues commands, lets time pass, and receives the connections' events in order.
package protocol TestEnvironment: AnyObject {
    /// The time since the test environment was set up.
    var now: Duration { get }
    /// The maximum difference between the times at which two devices are notified of the same event.
    var maximumNotificationSkew: Duration { get }
    /// The maximum delay of a frame of sound.
    var maximumAudioDelay: Duration { get }
    /// The time to wait after a step for notifications and packets that are still in transit.
    var settlingTime: Duration { get }
    /// Indicates that the hub serves others after the run, so that the run must end its sessions.
    var outlivesRun: Bool { get }
    /// Returns the app that is a party's phone in this environment; nil: there is none.
    func app(of party: String) -> (any AppPhone)?
    /// Begins to connect; the result is an event.
    func connect(_ connection: Int)
    /// Sends a message after the earlier ones.
    func send(_ message: ConnectionMessage, over connection: Int)
    /// Drops a connection without a closing handshake; it has no further events.
    func dropConnection(_ connection: Int)
    /// Closes a connection with a closing handshake; it has no further events.
    func closeConnection(_ connection: Int)
    /// Starts or stops reading from a connection.
    func setReading(_ reads: Bool, _ connection: Int)
    /// Lets time pass until the first event or a moment; returns the events.
    func wait(until moment: Duration) -> [ConnectionEvent]
    /// Performs a change of the hub's process; it is complete on return.
    func perform(_ action: HubProcessAction) throws(TestEnvironmentError)
    /// Suspends the hub for a duration, as on a sleeping machine.
    func advanceClock(by duration: Duration) throws(TestEnvironmentError)
    /// Indicates that the hub is running.
    var isHubRunning: Bool { get }
    /// Returns the unexpected end of the hub.
    ///
    /// - Parameter timeout: The maximum time to wait for it, after a connection has just ended.
    /// - Returns: A sentence; nil: the hub has not ended, or its end cannot be detected.
    func unexpectedEnd(timeout: Duration) -> String?
    /// Ends the test environment after the run.
    func end()
}

extension TestEnvironment {
    /// An environment has no apps, unless it says so.
    package func app(of party: String) -> (any AppPhone)? { nil }
}

/// A message on a connection.
package enum ConnectionMessage: Hashable, Sendable {
    /// A text message.
    case text([UInt8])
    /// A binary message.
    case audio([UInt8])

    /// The length in bytes.
    var byteCount: Int {
        switch self {
        case .text(let bytes), .audio(let bytes): bytes.count
        }
    }
}

/// An event of a connection.
package struct ConnectionEvent: Hashable, Sendable {
    /// The kind of an event.
    package enum Content: Hashable, Sendable {
        /// The connection is open.
        case opened
        /// An app's device has sent a request.
        case sent(ClientRequest, [UInt8])
        /// An app's device has played sound: samples, 48,000 a second, that end now.
        case played([Int16])
        /// A message has arrived.
        case message(ConnectionMessage)
        /// The connection has ended, with the reason.
        case ended(String)
    }

    /// The connection's number.
    package var connection: Int
    /// The time of the event.
    var at: Duration
    /// The kind of the event.
    package var content: Content

    /// Creates an event.
    package init(connection: Int, at: Duration, content: Content) {
        (self.connection, self.at, self.content) = (connection, at, content)
    }
}

/// The reason why a test environment cannot perform a command.
package struct TestEnvironmentError: Error {
    /// The description, one sentence without a full stop.
    var sentence: String
}
