import HubEngine
import HubServer

/// The timed events: the hub's deadlines, the relay's ticks, and the timeouts of clients.
extension SimulatedTransport {
    /// The time of the next event without further input; nil: none.
    var nextDeadline: Instant? {
        let tick = tick.map { clock.instant(at: $0) }
        return [deadline, tick, clientTimeout].compactMap(\.self).min().map { max($0, time.now) }
    }

    /// Advances the clock to an instant; events due on the way occur in order, each at its time.
    func advance(to instant: Instant) {
        while let due = nextDeadline, due <= instant {
            move(to: due)
            fire()
        }
        move(to: instant)
    }

    private func move(to instant: Instant) {
        time.advance(to: instant)
        updateClock()
    }

    private func fire() {
        let now = time.now
        if let due = deadline, due <= now {
            deadline = nil
            hub?.deadlineReached()
            settle()
        }
        if let due = tick, due <= time.uptimeNanoseconds {
            tick = nil
            ticker?.run()
            settle()
        }
        if let due = clientTimeout, due <= now {
            expireIdleClients(at: now)
            settle()
        }
    }

    /// The time of the first timeout of a client; nil: none.
    private var clientTimeout: Instant? {
        clients.compactMap { clientTimeout(with: $0) }.min()
    }

    /// Returns the time at which a client times out; nil: never.
    ///
    /// The timeouts are those of closing and sign-in, and of silence for frozen clients: others answer the hub's pings.
    private func clientTimeout(with client: Client) -> Instant? {
        let state = client.state
        let authentication: ConnectionPhase.Authentication
        switch state.pointee.phase {
        case .closing(let closing): return instant(atMillisecond: closing.deadline)
        case .open(let progress): authentication = progress
        case .free, .lingering, .resetting, .ended: return nil
        }
        let signIn = instant(atMillisecond: state.pointee.openedAt &+ settings.signInTimeout.wholeMilliseconds &+ 1)
        let silence = instant(atMillisecond: state.pointee.receivedAt &+ settings.silenceTimeout.wholeMilliseconds &+ 1)
        return [authentication == .pending ? signIn : nil, client.isFrozen ? silence : nil].compactMap(\.self).min()
    }

    private func instant(atMillisecond millisecond: UInt64) -> Instant {
        let (nanoseconds, overflow) = millisecond.multipliedReportingOverflow(by: 1_000_000)
        return clock.instant(at: overflow ? .max : nanoseconds)
    }

    private func expireIdleClients(at now: Instant) {
        for client in clients {
            guard let end = clientTimeout(with: client), end <= now else { continue }
            switch client.state.pointee.phase {
            case .closing(let closing):
                write(.lost, to: client.id)
                self.end(client, closing.end == .closedByHub ? .closedByHub : .lost)
            case .open(.pending):
                counters.pointee.signInTimeouts &+= 1
                close(client.id, code: 1008, reason: "Sign in with session.open first.")
            case .open:
                counters.pointee.silent &+= 1
                write(.lost, to: client.id)
                self.end(client, .lost)
            case .free, .lingering, .resetting, .ended: continue
            }
        }
    }
}
