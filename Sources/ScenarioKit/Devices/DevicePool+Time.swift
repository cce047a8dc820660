/// The passing of time for all devices, and the events in it.
extension DevicePool {
    /// Lets time pass until a moment or the first event.
    func advance(until deadline: Duration) {
        var moment = min(deadline, nextTick)
        for link in links { if let due = link.impairment.due { moment = min(moment, due) } }
        for event in environment.wait(until: moment) { take(event) }
        deliverDelayedMessages()
        sendMicrophonePackets()
        checkRules()
    }

    private func sendMicrophonePackets() {
        let now = now
        if nextTick + .milliseconds(60) < now {
            unscheduledTime += now - nextTick
            allowDeliverySkew()
        }
        // After a long stall the missed packets are left out.
        if nextTick + .milliseconds(200) < now { nextTick = now }
        while nextTick <= now {
            nextTick += .milliseconds(20)
            for index in devices.indices {
                if let packet = devices[index].nextPacket() { send(.audio(packet), index) }
            }
        }
    }

    private func deliverDelayedMessages() {
        let now = now
        for index in links.indices where !links[index].impairment.isUnimpaired {
            if let connection = devices[index].connectionNumber {
                for message in links[index].impairment.up.arrived(at: now) {
                    environment.send(message, over: connection)
                }
            }
            for message in links[index].impairment.down.arrived(at: now) { receive(message, index) }
            let backlog = links[index].impairment.down.backlog(at: now)
            let isFull = links[index].isFull ? backlog > .milliseconds(40) : backlog > .milliseconds(100)
            if isFull != links[index].isFull {
                links[index].isFull = isFull
                applyReading(index)
            }
            allowDeliverySkew()
        }
        if links.contains(where: { $0.isFrozen }) { allowDeliverySkew() }
    }

    private func take(_ event: ConnectionEvent) {
        let number = event.connection
        guard let index = devices.firstIndex(where: { $0.connectionNumber == number || $0.app?.connection == number })
        else { return }
        switch event.content {
        case .sent(let request, let bytes): noteSent(request, bytes, index)
        case .played(let samples): notePlayed(samples, index)
        case .opened:
            if let app = devices[index].app {
                (devices[index].connection, devices[index].connectionNumber) = (.opening, app.connection)
                links[index].mayDisconnect = false
            }
            guard let opening = openings.removeValue(forKey: index), opening.connection == event.connection else {
                return
            }
            if !links[index].reads { applyReading(index) }
            send(.text(opening.bytes), index)
        case .message(let message):
            guard !links[index].impairment.isUnimpaired else { return receive(message, index) }
            let impairment = links[index].impairment
            links[index].impairment.down.send(message, impairment, at: now)
        case .ended(let why):
            for message in links[index].impairment.down.waiting { receive(message.message, index) }
            note(index, .connection, "ended", why)
            let isUnasked = devices[index].connection == .open && !mayDisconnect(index)
            handleDisconnect(index)
            allowDeliverySkew()
            if isUnasked { reportUnexpectedDisconnect(of: index, why) }
        }
    }

    /// Indicates that the scenario has ended a device's connection, or has done something that may end it.
    private func mayDisconnect(_ index: Int) -> Bool {
        links[index].mayDisconnect || isDraining || partiesToBeClosed.contains(devices[index].party.name)
    }

    private func reportUnexpectedDisconnect(of index: Int, _ why: String) {
        // The hub's end is detected a little later than that of its connections.
        guard environment.unexpectedEnd(timeout: .milliseconds(500)) == nil else { return }
        let deviceReference = devices[index].deviceReference
        devices[index].violation(
            "the connection of \(deviceReference) goes on",
            "the connection of \(deviceReference) broke: \(why)",
            at: now
        )
    }

    /// Tolerates for the next 2 s that devices receive the notifications of one event at very different times.
    func allowDeliverySkew() { deliverySkewUntil = max(deliverySkewUntil, now + .seconds(2)) }
}
