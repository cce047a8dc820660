import HubEngine

/// The timer for packets that a relay sends by itself: a tick of 20 ms while any audio session is active.
package final class RelayTicker {
    private let relay: AudioRelay<Connections>
    private let sounds: BuiltInSounds
    private let clock: HubClock
    private let dropReportInterval: Int64
    private let reportDrops: (DropReport) -> Void
    private let armTick: (_ nanoseconds: UInt64?) -> Void
    private var nextTick: Int64?

    /// Makes a timer that is not running.
    ///
    /// - Parameters:
    ///   - relay: The relay of the loop.
    ///   - sounds: The audio of the built-in parties.
    ///   - clock: The hub's clock.
    ///   - ssrc: The SSRC of the hub in its own receiver reports.
    ///   - dropReportInterval: The shortest time between two reports of dropped packets to one client.
    ///   - reportDrops: Receives these reports.
    ///   - arm: Has `run` called once, not before that time in monotonic nanoseconds; nil cancels. A new call replaces
    ///     the previous one.
    package init(
        _ relay: AudioRelay<Connections>,
        sounds: BuiltInSounds,
        clock: HubClock,
        ssrc: UInt32,
        dropReportInterval: Duration,
        reportDrops: @escaping (DropReport) -> Void,
        arm: @escaping (_ nanoseconds: UInt64?) -> Void
    ) {
        self.relay = relay
        armTick = arm
        self.sounds = sounds
        self.clock = clock
        self.dropReportInterval = Int64(clamping: dropReportInterval.wholeNanoseconds)
        self.reportDrops = reportDrops
        relay.state.pointee.ownSSRC = ssrc
    }

    /// Starts the timer if an audio session is active or the mixers lag, and stops it otherwise.
    package func arm() {
        guard relay.activeLegs > 0 || !relay.state.pointee.unsentMixRecords.isEmpty else {
            if nextTick != nil { armTick(nil) }
            nextTick = nil
            return
        }
        guard nextTick == nil else { return }
        wait(for: clock.now.nanoseconds / Self.tick + 1)
    }

    /// Plays audio and sends reports; after a stall, older ticks are skipped (5 ticks of audio are made up for).
    package func run() {
        guard let due = nextTick else { return }
        let now = clock.now
        let current = now.nanoseconds / Self.tick
        guard current >= due else { return wait(for: due) }
        relay.sendMixRecords(at: now)
        // First, before packets of this tick are queued for their listeners.
        for tick in max(due, current - 9)...current {
            relay.reportDrops(tick: tick, at: now, interval: dropReportInterval, to: reportDrops)
        }
        for tick in max(due, current - 4)...current {
            relay.play(tick: tick, at: now, sounds)
        }
        // A client's reports are due every tenth tick, also when it was missed: without reports a client stops sending.
        for tick in max(due, current - 9)...current {
            relay.sendReports(tick: tick, at: now)
        }
        wait(for: current + 1)
    }

    private func wait(for tick: Int64) {
        nextTick = tick
        armTick(clock.monotonicNanoseconds(at: Instant(nanoseconds: tick &* Self.tick)))
    }

    private static let tick: Int64 = 20_000_000
}
