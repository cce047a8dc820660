/// The passing of time for all devices, and the events in it.
extension Ensemble {
    /// Lets time pass until a moment or the first event.
    func pass(until deadline: Duration) {
        var moment = min(deadline, nextTick)
        for link in links { if let due = link.shape.due { moment = min(moment, due) } }
        for happening in stage.wait(until: moment) { take(happening) }
        moveLinks()
        speak()
        watchRules()
    }

    private func speak() {
        let now = now
        if nextTick + .milliseconds(60) < now {
            stolen += now - nextTick
            noteUneven()
        }
        // After a long stall the missed packets are left out.
        if nextTick + .milliseconds(200) < now { nextTick = now }
        while nextTick <= now {
            nextTick += .milliseconds(20)
            for index in phones.indices {
                if let packet = phones[index].nextPacket() { send(.audio(packet), index) }
            }
        }
    }

    private func moveLinks() {
        let now = now
        for index in links.indices where !links[index].shape.isPlain {
            if let line = phones[index].lineNumber {
                for message in links[index].shape.up.arrived(at: now) { stage.send(message, over: line) }
            }
            for message in links[index].shape.down.arrived(at: now) { receive(message, index) }
            let backlog = links[index].shape.down.backlog(at: now)
            let isFull = links[index].isFull ? backlog > .milliseconds(40) : backlog > .milliseconds(100)
            if isFull != links[index].isFull {
                links[index].isFull = isFull
                applyReading(index)
            }
            noteUneven()
        }
        if links.contains(where: { $0.isFrozen }) { noteUneven() }
    }

    private func take(_ happening: Happening) {
        guard let index = phones.firstIndex(where: { $0.lineNumber == happening.line }) else { return }
        switch happening.content {
        case .opened:
            guard let opening = openings.removeValue(forKey: index), opening.line == happening.line else { return }
            if !links[index].reads { applyReading(index) }
            send(.text(opening.bytes), index)
        case .message(let message):
            guard !links[index].shape.isPlain else { return receive(message, index) }
            let shape = links[index].shape
            links[index].shape.down.send(message, shape, at: now)
        case .ended(let why):
            for message in links[index].shape.down.waiting { receive(message.message, index) }
            note(index, .connection, "ended", why)
            let isUnasked = phones[index].line == .open && !mayEnd(index)
            lineIsGone(index)
            noteUneven()
            if isUnasked { blameEnd(of: index, why) }
        }
    }

    /// Indicates that the scenario has ended a device's connection, or has done something that may end it.
    private func mayEnd(_ index: Int) -> Bool {
        links[index].mayEnd || isDraining || partiesToBeClosed.contains(phones[index].party.name)
    }

    private func blameEnd(of index: Int, _ why: String) {
        // The hub's end is detected a little later than that of its connections.
        guard stage.unaskedEnd(patience: .milliseconds(500)) == nil else { return }
        let who = phones[index].who
        phones[index].breach("the connection of \(who) goes on", "the connection of \(who) broke: \(why)", at: now)
    }

    /// Notes that for the next 2 s devices may receive notifications at very different times.
    func noteUneven() { unevenUntil = max(unevenUntil, now + .seconds(2)) }
}
