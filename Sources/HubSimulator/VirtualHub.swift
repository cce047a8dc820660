package import HubEngine
package import HubServer

/// A simulated hub: the ``Hub`` and relay of a running one, with a simulated clock, without sockets and threads.
///
/// The same seed and the same calls give the same bytes. For one thread; its services should respond at once, on the
/// same thread. Event recordings and call detail records are not written, and there is only one loop.
///
/// ```swift
/// let hub = try VirtualHub(seed: 1)
/// let alice = hub.connect()
/// hub.receive(text: request, from: alice)
/// hub.advance(by: .seconds(60))
/// for message in hub.takeOutput() { print(message) }
/// ```
package final class VirtualHub {
    private let settings: HubSettings
    private var services: HubServices
    private let store: VirtualStore
    private let sounds: BuiltInSounds
    private let time: VirtualClock
    private let transport: SimulatedTransport
    private var random: RandomSource

    /// Creates and starts a hub.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - seed: The seed of all random numbers.
    ///   - start: The simulated time at the start.
    ///   - stored: The initial content of the account store.
    ///   - services: The hub's services; without an account store, one in memory is added, which outlives a kill.
    /// - Throws: `MediaError` if libopus fails.
    package init(
        _ settings: HubSettings = HubSettings(),
        seed: UInt64,
        start: Instant = VirtualHub.start,
        stored: StoredState = StoredState(),
        services: HubServices = HubServices()
    ) throws {
        self.settings = settings
        self.services = services
        sounds = try BuiltInSounds.shared.get()
        time = VirtualClock(start: start)
        transport = SimulatedTransport(settings.transport, time)
        random = RandomSource(seed: seed)
        store = VirtualStore(stored, limits: settings.accountData)
        if services.accountData == nil { self.services.accountData = store }
        begin(stored)
    }

    /// Midnight before the first of January 2026, a Thursday, in UTC.
    package static let start = Instant(nanoseconds: 1_767_225_600_000_000_000)

    /// A sentence for each invariant of the engine that is violated at present.
    package var violations: [String] { transport.hub?.violations ?? [] }

    // MARK: Life cycle

    /// Indicates that a hub runs: it has been neither killed nor stopped.
    package var isRunning: Bool { transport.hub != nil }

    /// The number of requests that the hub has yet to answer.
    package var pendingRequestCount: Int { transport.hub?.pending.count ?? 0 }

    /// Kills the hub, as SIGKILL does: connections are lost, and so is all data that is not stored.
    package func kill() {
        if isRunning { transport.end(.lost) }
    }

    /// Starts another hub after a kill or stop.
    ///
    /// - Parameter stored: The content of the account store; nil: that of the simulation's own store.
    package func restart(stored: StoredState? = nil) {
        if !isRunning { begin(stored ?? store.state) }
    }

    /// Stops the hub at once: calls end, clients are notified, connections are closed with code 1001.
    package func stop() {
        guard let hub = transport.hub else { return }
        hub.shutDown()
        hub.closeRecords()
        transport.stopAfterClosing()
        transport.settle()
    }

    /// Drains the hub, see ``HubServer/drain(grace:)``.
    package func drain(grace: Duration? = nil) {
        transport.hub?.drain(grace: grace ?? settings.drainGrace)
        transport.settle()
    }

    private func begin(_ stored: StoredState) {
        let (hub, ssrc) = (
            Hub(
                settings,
                clock: transport.clock,
                random: RandomSource(seed: random.next()),
                services: services,
                stored: stored
            ), random.ssrc()
        )
        transport.begin(hub, sounds: sounds, ssrc: ssrc)
    }

    // MARK: Time

    /// The simulated time.
    package var now: Instant { time.now }

    /// The time of the next event without further input; nil: none.
    package var nextDeadline: Instant? { transport.nextDeadline }

    /// Advances the clock to an instant; deadlines and ticks on the way occur in order, each at its time.
    ///
    /// - Parameter instant: The new time; a past one has no effect.
    package func advance(to instant: Instant) {
        transport.advance(to: instant)
    }

    /// Advances the clock by a duration, see ``advance(to:)``.
    package func advance(by duration: Duration) {
        advance(to: now + duration)
    }

    /// Makes the system's clock jump: counted durations are unaffected, quiet hours are not.
    package func jumpWallClock(by duration: Duration) {
        time.wallClockOffset += duration
    }

    /// Runs work that services have posted from other threads; requests made on this one are carried out at once.
    package func settle() {
        transport.settle()
    }

    // MARK: Clients

    /// Connects a client.
    ///
    /// - Parameter address: The IP address of the client.
    /// - Returns: The ID of its connection; nil: the address is invalid, no hub runs, or the connection was rejected.
    package func connect(from address: String = "127.0.0.1") -> ConnectionID? {
        IPAddress(address).flatMap { transport.connect(from: $0) }
    }

    /// Sends a text message of a client to the hub.
    package func receive(text: [UInt8], from connection: ConnectionID) {
        transport.receive(text: text, from: connection)
    }

    /// Sends a binary message of a client to the hub: an RTP or RTCP packet.
    package func receive(audio: [UInt8], from connection: ConnectionID) {
        transport.receive(audio: audio, from: connection)
    }

    /// Breaks a connection, without a close frame.
    package func dropConnection(_ connection: ConnectionID) {
        transport.end(connection, isNormal: false)
    }

    /// Closes a connection by its client.
    package func close(_ connection: ConnectionID, code: UInt16 = 1000) {
        transport.end(connection, isNormal: code == 1000)
    }

    /// Freezes a client: it accepts no data, as if its buffers were full.
    ///
    /// Texts are queued, up to `maximumQueuedTextBytes`; packets become stale, and a newer one replaces the oldest.
    package func freeze(_ connection: ConnectionID) {
        transport.freeze(connection, true)
    }

    /// Thaws a client: it receives data again, the queued data first.
    package func thaw(_ connection: ConnectionID) {
        transport.freeze(connection, false)
    }

    /// Returns and clears the data delivered since the last call, in order.
    package func takeOutput() -> [VirtualHubOutput] {
        defer { transport.output.removeAll(keepingCapacity: true) }
        return transport.output
    }
}
