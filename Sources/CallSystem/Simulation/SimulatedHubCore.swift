import CallAudio
import Dispatch
import HubEngine
import HubServer
import HubSimulator
import HubWire

/// A simulated hub and the connections of its devices; confined to one serial queue.
final class SimulatedHubCore {
    let queue: DispatchQueue
    let activity: ActivityCounter
    let hub: VirtualHub
    private let pace: SimulatedHub.Pace
    /// The zero of the machine's clock, with the hub's time at it.
    private let start: (machine: ContinuousClock.Instant, hub: Instant)
    private var connections: [ConnectionID: any SimulatedLink] = [:]
    /// Work of devices that wait for a hub to connect to.
    private var whenRunning: [() -> Void] = []
    /// The messages that the hub has sent while its time was advanced.
    private var undelivered: [VirtualHubOutput] = []
    /// Work that was requested while messages are being delivered.
    private var later: [() -> Void] = []
    /// Work of the devices for a time of the hub's.
    private var timers: [(at: Instant, work: () -> Void)] = []
    /// Indicates that the invariants of the hub's engine are checked after each of its events.
    var checksInvariants = false
    /// The sentences about violated invariants, each once, with the time at which it was first.
    private(set) var violations: [String: Instant] = [:]
    private var isDelivering = false
    private var timer: DispatchWorkItem?

    init(
        _ settings: HubSettings,
        seed: UInt64,
        start: Instant,
        pace: SimulatedHub.Pace,
        queue: DispatchQueue,
        activity: ActivityCounter
    ) throws {
        hub = try VirtualHub(settings, seed: seed, start: start)
        (self.queue, self.activity, self.pace) = (queue, activity, pace)
        self.start = (ContinuousClock.now, start)
    }

    var now: Instant { hub.now }

    // MARK: Connections

    func connect(_ link: any SimulatedLink) -> ConnectionID? {
        guard let id = hub.connect() else { return nil }
        connections[id] = link
        checkInvariants()
        return id
    }

    /// Calls a closure when a hub runs again, after a kill or stop.
    func whenHubRuns(_ work: @escaping () -> Void) {
        whenRunning.append(work)
    }

    func send(_ text: [UInt8], over connection: ConnectionID) {
        hub.receive(text: text, from: connection)
        checkInvariants()
        deliverLater()
    }

    func send(audio packet: [UInt8], over connection: ConnectionID) {
        hub.receive(audio: packet, from: connection)
        deliverLater()
    }

    /// The time on the clock of the devices' frames, in nanoseconds.
    var frameTime: Int64 { pace == .virtual ? hub.now.nanoseconds : ArrivalClock.nanoseconds }

    func drop(_ connection: ConnectionID) {
        connections[connection] = nil
        hub.dropConnection(connection)
        checkInvariants()
        deliverLater()
    }

    /// Closes a connection, as its client does at its end.
    func close(_ connection: ConnectionID) {
        connections[connection] = nil
        hub.close(connection)
        checkInvariants()
        deliverLater()
    }

    /// Calls a closure after the notifications that are being delivered, and then delivers those that it causes.
    ///
    /// So no callback comes before the method that caused it has returned.
    func afterwards(_ work: @escaping () -> Void) {
        later.append(work)
        deliverLater()
    }

    func deliverLater() {
        guard !isDelivering else { return }
        isDelivering = true
        activity.begin()
        nonisolated(unsafe) let hub = self
        queue.async {
            hub.deliver()
            hub.activity.end()
        }
    }

    private func deliver() {
        catchUp()
        while true {
            if hub.isRunning {
                later += whenRunning
                whenRunning = []
            }
            let output = undelivered + hub.takeOutput()
            undelivered = []
            let works = later
            later = []
            if output.isEmpty, works.isEmpty { break }
            for message in output {
                guard let link = connections[message.connection] else { continue }
                switch message.content {
                case .text, .audio: break
                case .closed, .lost: connections[message.connection] = nil
                }
                link.receive(message)
            }
            for work in works { work() }
        }
        isDelivering = false
        setTimer()
    }

    // MARK: Time

    /// Advances the hub towards a time, until something has been delivered.
    ///
    /// - Returns: True if the time is reached.
    func advance(towards target: Instant) -> Bool {
        while hub.now < target {
            hub.advance(to: min(target, nextDeadline ?? target))
            let output = hub.takeOutput()
            takeTimers()
            // Most ticks of the hub change nothing.
            if !output.isEmpty || hub.now >= target { checkInvariants() }
            guard output.isEmpty, later.isEmpty else {
                undelivered = output
                deliverLater()
                break
            }
        }
        return hub.now >= target
    }

    /// Advances the hub to the time of the machine, if it keeps pace with it.
    private func catchUp() {
        guard pace == .realTime else { return }
        hub.advance(to: start.hub + (ContinuousClock.now - start.machine))
        takeTimers()
    }

    /// The time of the next event without further input; nil: none.
    private var nextDeadline: Instant? {
        [hub.nextDeadline, timers.map(\.at).min()].compactMap(\.self).min()
    }

    /// Calls a closure after a time.
    func schedule(after duration: Duration, _ work: @escaping () -> Void) {
        timers.append((now + duration, work))
        deliverLater()
    }

    /// Moves the work that is due to what is done next.
    private func takeTimers() {
        later += timers.filter { $0.at <= now }.map(\.work)
        timers.removeAll { $0.at <= now }
    }

    private func setTimer() {
        guard pace == .realTime, let next = nextDeadline else { return }
        timer?.cancel()
        nonisolated(unsafe) let hub = self
        let item = DispatchWorkItem { hub.deliverLater() }
        timer = item
        let wait = max(.zero, next.since(now))
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait.wholeNanoseconds)), execute: item)
    }

    // MARK: Faults

    /// Kills the hub, and starts another one on the same data; devices reconnect to it.
    func restart() {
        hub.kill()
        hub.restart()
        deliverLater()
    }

    /// Checks the invariants of the hub's engine, after an event.
    func checkInvariants() {
        guard checksInvariants else { return }
        for violation in hub.violations where violations[violation] == nil { violations[violation] = now }
    }
}
