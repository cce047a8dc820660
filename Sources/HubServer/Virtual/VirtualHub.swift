package import HubEngine

/// A hub in a world of its own: the very ``Hub`` and relay of a running one, on a clock that is told the time, without sockets or
/// threads.
///
/// The same seed and the same calls give the same bytes. One thread's; what stands beside the hub should answer at once, on the
/// same thread. Recordings and records of calls are not written, and there are no loops to choose.
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
    private let time: VirtualTime
    private let ground: VirtualGround
    private var chance: HubChance

    /// A hub that runs.
    ///
    /// - Parameters:
    ///   - settings: Everything that can be set.
    ///   - seed: Of everything that the hub leaves to chance.
    ///   - start: The date at which its world begins.
    ///   - stored: What its memory's store has.
    ///   - services: What stands beside it; without a store, one in memory, which outlives a kill.
    /// - Throws: `MediaError` where libopus cannot.
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
        time = VirtualTime(start: start)
        ground = VirtualGround(settings.transport, time)
        chance = HubChance(seed: seed)
        store = VirtualStore(stored, limits: settings.memory)
        if services.memory == nil { self.services.memory = store }
        begin(stored)
    }

    /// Midnight before the first of January 2026, a Thursday, in UTC.
    package static let start = Instant(nanoseconds: 1_767_225_600_000_000_000)

    // MARK: Its life

    /// Whether there is a hub: it has not been killed, and not stopped.
    package var isRunning: Bool { ground.hub != nil }

    /// Ends the hub without a word, as SIGKILL does: connections break, and what is not stored is gone.
    package func kill() {
        if isRunning { ground.end(.lost) }
    }

    /// Starts another hub in place of one that is gone.
    ///
    /// - Parameter stored: What the store has; nil: what the hub's own has been given.
    package func restart(stored: StoredState? = nil) {
        if !isRunning { begin(stored ?? store.state) }
    }

    /// Stops at once: calls end, clients are told, connections are closed with code 1001.
    package func stop() {
        guard let hub = ground.hub else { return }
        hub.shutDown()
        hub.closeRecords()
        ground.stop()
        ground.settle()
    }

    /// Stops in good order, see ``HubServer/drain(grace:)``.
    package func drain(grace: Duration? = nil) {
        ground.hub?.drain(grace: grace ?? settings.drainGrace)
        ground.settle()
    }

    private func begin(_ stored: StoredState) {
        let (hub, ssrc) = (
            Hub(
                settings,
                clock: ground.clock,
                chance: HubChance(seed: chance.next()),
                services: services,
                stored: stored
            ), chance.ssrc()
        )
        ground.begin(hub, sounds: sounds, ssrc: ssrc)
    }

    // MARK: Its time

    /// The time of its world.
    package var now: Instant { time.now }

    /// When something happens next if nobody does anything; nil: never.
    package var nextDeadline: Instant? { ground.nextDeadline }

    /// Goes on to a moment; deadlines and ticks on the way there come in their order, each at its time.
    ///
    /// - Parameter instant: What is past changes nothing.
    package func advance(to instant: Instant) {
        ground.advance(to: instant)
    }

    /// Goes on for a while, see ``advance(to:)``.
    package func advance(by duration: Duration) {
        advance(to: now + duration)
    }

    /// Has the system's clock jump: nothing that is counted goes by it, quiet hours do.
    package func jumpWallClock(by duration: Duration) {
        time.wallError += duration
    }

    /// Does what services have asked for from other threads; what they ask for on this one is done at once.
    package func settle() {
        ground.settle()
    }

    // MARK: Its clients

    /// A client connects.
    ///
    /// - Parameter address: Whence.
    /// - Returns: Its connection; nil: the address is none, no hub runs, or it lets nobody in.
    package func connect(from address: String = "127.0.0.1") -> ConnectionID? {
        IPAddress(address).flatMap { ground.connect(from: $0) }
    }

    /// A client sends a text message.
    package func receive(text: [UInt8], from connection: ConnectionID) {
        ground.receive(text: text, from: connection)
    }

    /// A client sends a binary message: a packet of RTP or RTCP.
    package func receive(audio: [UInt8], from connection: ConnectionID) {
        ground.receive(audio: audio, from: connection)
    }

    /// A connection breaks, without a close.
    package func lose(_ connection: ConnectionID) {
        ground.end(connection, isNormal: false)
    }

    /// A client closes its connection.
    package func close(_ connection: ConnectionID, code: UInt16 = 1000) {
        ground.end(connection, isNormal: code == 1000)
    }

    /// A client stops to take what it is sent, as if its buffers were full already.
    ///
    /// Texts wait, up to `maximumQueuedTextBytes`; packets grow stale, and the oldest goes for a newer one.
    package func freeze(_ connection: ConnectionID) {
        ground.freeze(connection, true)
    }

    /// A client takes again what it is sent, what waits first.
    package func thaw(_ connection: ConnectionID) {
        ground.freeze(connection, false)
    }

    /// What has gone out since the last call, in its order.
    package func takeOutput() -> [VirtualMessage] {
        defer { ground.output.removeAll(keepingCapacity: true) }
        return ground.output
    }
}
