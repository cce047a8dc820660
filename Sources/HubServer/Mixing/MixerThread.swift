import CUV  // Which module has timespec depends on what the compiler has loaded before.
import Foundation
import HubEngine
import HubMedia
import HubMixing

/// A thread that mixes the audio of groups, beside the loops: packets come in rings from them and go back in others.
///
/// It never waits for a loop and no loop waits for it: a full ring drops. It makes a frame every 20 ms while it has
/// sources, and rests otherwise. Behind its schedule it does less (``MixerPace``).
final class MixerThread: Sendable {
    private let link: MixerLink
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - number: The number of the mixer, from 0.
    ///   - context: The rings of the hub.
    ///   - clock: The hub's clock.
    ///   - ssrc: The SSRC of all mixes.
    ///   - log: The log, for changes of the effort.
    init(_ number: Int, of context: LoopGroupContext, clock: HubClock, ssrc: UInt32, log: HubLog) {
        link = context.mixers[number]
        let thread = Thread { [ended] in
            MixerRun(number, of: context, clock: clock, ssrc: ssrc, log: log).run()
            ended.signal()
        }
        thread.name = "mixer-\(number)"
        thread.start()
    }

    /// Ends the thread, and waits for its end; may be called again.
    func stop() {
        link.stop()
        ended.wait()
        ended.signal()
    }
}

/// The state of a mixer's thread, for that thread only.
private final class MixerRun {
    private let node: Int
    private let context: LoopGroupContext
    private let clock: HubClock
    private let log: HubLog
    private let link: MixerLink
    private let mixer: ConferenceMixer
    private var pace = MixerPace()
    private var statistics = MixerStatistics()
    /// The loop of each listener.
    private var loops: [ListenerID: UInt16] = [:]
    private var hasWrittenTo: [Bool]

    init(_ number: Int, of context: LoopGroupContext, clock: HubClock, ssrc: UInt32, log: HubLog) {
        node = context.count + number
        self.context = context
        self.clock = clock
        self.log = log
        link = context.mixers[number]
        mixer = ConferenceMixer(ssrc: ssrc)
        hasWrittenTo = Array(repeating: false, count: context.count)
    }

    func run() {
        var due = nextFrame
        while !link.isStopping {
            if mixer.isIdle {
                loops.removeAll()
                link.rest()
                due = nextFrame
            }
            wait(until: due)
            let start = clock.now.nanoseconds
            makeFrame(at: due, now: start)
            finish(due: due, start: start, end: clock.now.nanoseconds)
            // Frames that are long past are left out; the jitter buffers catch up.
            due = max(due + AudioFormat.nanosecondsPerFrame, nextFrame - 3 * AudioFormat.nanosecondsPerFrame)
        }
    }

    private var nextFrame: Int64 {
        (clock.now.nanoseconds / AudioFormat.nanosecondsPerFrame + 1) * AudioFormat.nanosecondsPerFrame
    }

    private func wait(until instant: Int64) {
        let due = clock.monotonicNanoseconds(at: Instant(nanoseconds: instant))
        var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    private func makeFrame(at due: Int64, now: Int64) {
        for loop in 0..<context.count { drain(context.ring(from: loop, to: node), at: now) }
        let stamp = CrossLoopLink.milliseconds(Instant(nanoseconds: now))
        do throws(MediaError) {
            try mixer.tick(at: due) { listener, packet in send(packet, to: listener, at: stamp) }
        } catch {
            log(.error, "mix failed", ["reason": error.description])
        }
        for loop in hasWrittenTo.indices where hasWrittenTo[loop] {
            hasWrittenTo[loop] = false
            if context.ring(from: node, to: loop).announce() { context.wake(loop) }
        }
    }

    private func drain(_ ring: PacketRing.View, at now: Int64) {
        _ = ring.acknowledgeWrites()
        let milliseconds = CrossLoopLink.milliseconds(Instant(nanoseconds: now))
        ring.read { head, packet, _ in
            if let record = MixRecord(parsing: packet, mixer: UInt16(node)) {
                apply(record)
            } else {
                let age = Int64(max(0, Int32(bitPattern: milliseconds &- head.writtenAt)))
                mixer.insert(packet, at: (now / 1_000_000 - age) * 1_000_000)
            }
            return true
        }
    }

    private func apply(_ record: MixRecord) {
        for listener in record.listeners + record.draining { loops[listener.identity] = listener.loop }
        do throws(MediaError) {
            try mixer.setListeners(
                record.listeners.map(\.identity),
                draining: record.draining.map(\.identity),
                of: record.ssrc
            )
        } catch {
            log(.error, "source not mixed", ["reason": error.description])
        }
    }

    private func send(_ packet: UnsafeRawBufferPointer, to listener: ListenerID, at stamp: UInt32) {
        guard let loop = loops[listener], Int(loop) < context.count else { return }
        let ring = context.ring(from: node, to: Int(loop))
        if ring.write(packet, for: listener.session, at: stamp) { hasWrittenTo[Int(loop)] = true }
    }

    private func finish(due: Int64, start: Int64, end: Int64) {
        statistics.frames += 1
        if end - due > AudioFormat.nanosecondsPerFrame / 2 { statistics.late += 1 }
        statistics.encoded = mixer.encodedPackets
        let before = pace.effort
        if pace.finished(due: due, start: start, end: end), pace.effort != before {
            mixer.effort = pace.effort
            let message: StaticString = pace.effort > before ? "mixer is behind: it does less" : "mixer does more again"
            log(pace.effort > before ? .warning : .info, message, ["effort": "\(pace.effort)"])
        }
        statistics.reduction = pace.effort.rawValue
        link.publish(statistics)
    }
}

extension MixedListener {
    /// The identity of the listener at a mixer.
    fileprivate var identity: ListenerID { ListenerID(UInt64(session.generation) << 32 | UInt64(session.index)) }
}

extension ListenerID {
    /// The session of the listener.
    fileprivate var session: SessionID {
        SessionID(index: UInt32(truncatingIfNeeded: number), generation: UInt32(truncatingIfNeeded: number >> 32))
    }
}
