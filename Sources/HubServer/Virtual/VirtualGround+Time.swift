import HubEngine

/// What happens by the clock: the hub's deadlines, the relay's ticks, and the patience with clients.
extension VirtualGround {
    /// When something happens next if nobody does anything.
    var nextDeadline: Instant? {
        let tick = tick.map { clock.instant(at: $0) }
        return [deadline, tick, patienceEnds].compactMap(\.self).min().map { max($0, time.now) }
    }

    /// Goes on to a moment; what is due on the way there happens in its order.
    func advance(to instant: Instant) {
        while let due = nextDeadline, due <= instant {
            move(to: due)
            fire()
        }
        move(to: instant)
    }

    private func move(to instant: Instant) {
        time.advance(to: instant)
        showTime()
    }

    private func fire() {
        let now = time.now
        if let due = deadline, due <= now {
            deadline = nil
            hub?.deadlineReached()
            settle()
        }
        if let due = tick, due <= time.ticks {
            tick = nil
            ticker?.run()
            settle()
        }
        if let due = patienceEnds, due <= now {
            loseThePatience(at: now)
            settle()
        }
    }

    /// When the hub has waited long enough for the first of its clients.
    private var patienceEnds: Instant? {
        clients.compactMap { patienceEnds(with: $0) }.min()
    }

    /// Whoever reads answers the hub's pings, too; who is frozen is heard as long as he says something.
    private func patienceEnds(with client: Client) -> Instant? {
        let (state, flags) = (client.state.pointee, client.state.pointee.flags)
        if flags.contains(.closing) { return instant(atMillisecond: state.closeBy) }
        let signIn = instant(atMillisecond: state.openedAt &+ settings.signInTimeout.wholeMilliseconds &+ 1)
        let silence = instant(atMillisecond: state.receivedAt &+ settings.silenceTimeout.wholeMilliseconds &+ 1)
        let waits = flags.isDisjoint(with: [.signedIn, .judged])
        return [waits ? signIn : nil, client.isFrozen ? silence : nil].compactMap(\.self).min()
    }

    private func instant(atMillisecond millisecond: UInt64) -> Instant {
        let (nanoseconds, overflow) = millisecond.multipliedReportingOverflow(by: 1_000_000)
        return clock.instant(at: overflow ? .max : nanoseconds)
    }

    private func loseThePatience(at now: Instant) {
        for client in clients {
            guard let end = patienceEnds(with: client), end <= now else { continue }
            let flags = client.state.pointee.flags
            if flags.contains(.closing) {
                write(.lost, to: client.id)
                self.end(client, flags.contains(.endedByHub) ? .closedByHub : .lost)
            } else if flags.isDisjoint(with: [.signedIn, .judged]) {
                counters.pointee.signInTimeouts &+= 1
                close(client.id, code: 1008, reason: "Sign in with session.open first.")
            } else {
                counters.pointee.silent &+= 1
                write(.lost, to: client.id)
                self.end(client, .lost)
            }
        }
    }
}
