import HubEngine

/// The clock of what a loop's relay sends by itself: a tick of 20 ms, as long as anybody's audio session is active.
final class RelayTicker {
    private let relay: AudioRelay<Connections>
    private let sounds: BuiltInSounds
    private let clock: HubClock
    private let armTick: (_ nanoseconds: UInt64?) -> Void
    private var nextTick: Int64?

    /// A clock that stands still.
    ///
    /// - Parameters:
    ///   - relay: Whose.
    ///   - sounds: What it plays.
    ///   - clock: The hub's.
    ///   - ssrc: The hub's own.
    ///   - arm: Has `run` called once, not before that moment of the clock's ticks; nil: never. A new call replaces the old one.
    init(
        _ relay: AudioRelay<Connections>,
        sounds: BuiltInSounds,
        clock: HubClock,
        ssrc: UInt32,
        arm: @escaping (_ nanoseconds: UInt64?) -> Void
    ) {
        self.relay = relay
        armTick = arm
        self.sounds = sounds
        self.clock = clock
        relay.state.pointee.ownSSRC = ssrc
    }

    /// Begins or ends ticking, as the relay's audio sessions want it.
    func arm() {
        guard relay.activeLegs > 0 else {
            if nextTick != nil { armTick(nil) }
            nextTick = nil
            return
        }
        guard nextTick == nil else { return }
        wait(for: clock.now.nanoseconds / Self.tick + 1)
    }

    /// Plays and reports; after a stall of the machine what was missed is let go.
    func run() {
        guard let due = nextTick else { return }
        let now = clock.now
        let current = now.nanoseconds / Self.tick
        guard current >= due else { return wait(for: due) }
        for tick in max(due, current - 4)...current {
            relay.play(tick: tick, at: now, tone: sounds.tone, music: sounds.music)
        }
        // Each client's turn comes every tenth tick, also when it was missed: without reports a client stops sending.
        for turn in max(due, current - 9)...current {
            relay.sendReports(turn: turn, at: now)
        }
        wait(for: current + 1)
    }

    private func wait(for tick: Int64) {
        nextTick = tick
        armTick(clock.monotonicNanoseconds(at: Instant(nanoseconds: tick &* Self.tick)))
    }

    private static let tick: Int64 = 20_000_000
}
