import HubEngine

/// What the hub stands on: connections that carry its words, relays that carry sound, and a clock that calls it.
///
/// ``HubSockets`` is the one of a running hub, ``VirtualGround`` one without sockets, threads and real time. Whatever is above it is
/// the same. All of it is the hub's thread's; packets go past the hub.
protocol HubGround: AnyObject {
    /// See ``ServerLoop/sendText(_:to:number:isLast:)``.
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool)

    /// See ``ServerLoop/markSignedIn(_:)``.
    func markSignedIn(_ id: ConnectionID)

    /// See ``ServerLoop/markJudged(_:_:)``.
    func markJudged(_ id: ConnectionID, _ isJudged: Bool)

    /// See ``ServerLoop/close(_:code:reason:)``.
    func close(_ id: ConnectionID, code: UInt16, reason: String)

    /// See ``ServerLoop/answer(_:with:)``.
    func answer(_ ticket: HTTPTicket, with response: HTTPResponse)

    /// Has a loop's relay carry out a command, in its order among the texts that are sent.
    func tell(_ loop: UInt16, _ command: RelayCommand)

    /// What became so far of the packets of an audio session, where it is one of the hub's own loop.
    func quality(of session: SessionID) -> LegQuality?

    /// Has ``Hub/deadlineReached()`` called once, not before that moment; a new call replaces the old one, nil: never.
    func armDeadline(at instant: Instant?)

    /// Ends it all: connections that are left are closed with code 1001.
    func stop()

    /// Counts messages of somebody who has not signed in; false: more than their address may send.
    func mayAsk(from address: IPAddress, count: Int) -> Bool

    /// Whether somebody may sign in, by how often that was tried from there.
    func maySignIn(from address: IPAddress) -> Bool

    /// Whether what counts by addresses does not count for this one.
    func isExempt(_ address: IPAddress) -> Bool

    /// The memory for all that waits; nil: the connections are gone.
    var queues: QueueMemory? { get }

    /// How busy the hub has been for some seconds, 0 to 1.
    var busyShare: Double { get }

    /// For others who have something to say to the hub.
    var thread: HubThread { get }

    /// What is counted by each loop, given at once or later.
    func gatherFigures(then: @escaping ([LoopFigures]) -> Void)

    /// How many packets the active audio sessions have received; at once or later.
    func countPackets(then: @escaping ([SessionID: UInt64]) -> Void)
}

/// The thread that a hub is on, as others see it: safe on any thread.
struct HubThread: Sendable {
    /// Has something done there later, after what was asked for before; nothing, where the hub is gone.
    let run: @Sendable (_ work: @escaping @Sendable (Hub) -> Void) -> Void
}
