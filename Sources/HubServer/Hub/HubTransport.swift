package import HubEngine
package import HubWire

/// The hub's transport: connections for text, relays for audio, and a timer.
///
/// ``PrimaryLoopHandler`` is the transport of a running hub, the simulator's `SimulatedTransport` one without sockets,
/// threads and real time. The code above it is the same for both. For the hub's thread only; packets bypass the hub.
package protocol HubTransport: AnyObject {
    /// See ``ServerLoop/sendText(_:to:number:isLast:)``.
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool)

    /// See ``ServerLoop/markAuthenticated(_:)``.
    func markAuthenticated(_ id: ConnectionID)

    /// See ``ServerLoop/markAuthenticating(_:_:)``.
    func markAuthenticating(_ id: ConnectionID, _ isAuthenticating: Bool)

    /// See ``ServerLoop/close(_:code:reason:)``.
    func close(_ id: ConnectionID, code: UInt16, reason: String)

    /// See ``ServerLoop/answer(_:with:)``.
    func answer(_ requestID: HTTPRequestID, with response: HTTPResponse)

    /// Has a loop's relay execute a command, in order with the texts that are sent.
    func notify(_ loop: UInt16, _ command: RelayCommand)

    /// Returns the packet statistics so far of an active audio session on the hub's own loop; nil: there is none.
    func quality(of session: SessionID) -> LegQuality?

    /// Has ``Hub/deadlineReached()`` called once, not before that time.
    ///
    /// A new call replaces the previous one, nil cancels.
    func armDeadline(at instant: Instant?)

    /// Stops the transport when the remaining connections, closed with code 1001, have ended.
    func stopAfterClosing()

    /// Counts messages of a client that has not signed in; false: more than the rate of its address.
    func allowsRequest(from address: IPAddress, count: Int) -> Bool

    /// Counts a sign-in; false: more than the rate of its address.
    func allowsSignIn(from address: IPAddress) -> Bool

    /// Indicates that the limits by address do not apply to an address.
    func isExempt(_ address: IPAddress) -> Bool

    /// The mixers; nil: there are none.
    var mixing: Mixing? { get }

    /// The counters of the mixers.
    var mixerStatistics: [MixerStatistics] { get }

    /// The memory budget of all queues; nil: the connections are gone.
    var queues: QueueBudget? { get }

    /// The load of the hub in the last seconds, 0 to 1.
    var busyShare: Double { get }

    /// A handle to run work on the hub's thread.
    var thread: HubThread { get }

    /// Collects the counters of each loop; `then` is called at once or later.
    func collectStatistics(then: @escaping ([LoopStatistics]) -> Void)

    /// Counts the packets in the active audio sessions; `then` is called at once or later.
    func countPackets(then: @escaping ([SessionID: AdminAudio]) -> Void)
}

/// A handle to a hub's thread; safe on any thread.
package struct HubThread: Sendable {
    /// Runs work later, after earlier work; does nothing if the hub is gone.
    let run: @Sendable (_ work: @escaping @Sendable (Hub) -> Void) -> Void

    /// Makes a handle.
    ///
    /// - Parameter run: Runs work on the hub's thread.
    package init(_ run: @escaping @Sendable (_ work: @escaping @Sendable (Hub) -> Void) -> Void) {
        self.run = run
    }
}
