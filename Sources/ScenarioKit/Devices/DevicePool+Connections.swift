import HubWire

/// The devices' connections to the hub.
extension DevicePool {
    /// Connects a device, and sends the request once the connection is open; returns the request's number.
    func connect(_ index: Int, _ request: ClientRequest) -> Int {
        dropConnection(index)
        lastConnectionNumber += 1
        let device = devices[index]
        let (number, bytes) = device.text(of: request)
        device.connection = .opening
        device.connectionNumber = lastConnectionNumber
        openings[index] = (lastConnectionNumber, bytes)
        links[index].mayDisconnect = links[index].isImpaired
        note(index, .request, request.method.rawValue, description(for: request), bytes: bytes)
        environment.connect(lastConnectionNumber)
        return number
    }

    /// Drops a device's connection without a closing handshake.
    func dropConnection(_ index: Int) {
        guard let connection = devices[index].connectionNumber else { return }
        environment.dropConnection(connection)
        handleDisconnect(index)
    }

    /// Closes a device's connection with a closing handshake.
    func closeConnection(_ index: Int) {
        guard let connection = devices[index].connectionNumber else { return }
        environment.closeConnection(connection)
        handleDisconnect(index)
    }

    /// Updates a device after the end of its connection.
    func handleDisconnect(_ index: Int) {
        openings[index] = nil
        links[index].impairment.clear()
        links[index].isFull = false
        devices[index].markDisconnected(at: now)
    }

    /// Sends a request of a device.
    ///
    /// - Returns: The request's number, which identifies the reply.
    func sendRequest(_ index: Int, _ request: ClientRequest) -> Int {
        let (number, bytes) = devices[index].text(of: request)
        note(index, .request, request.method.rawValue, description(for: request), bytes: bytes)
        countRequest()
        send(.text(bytes), index)
        return number
    }

    /// Sends a message of a device, delayed by its link's shape.
    func send(_ message: ConnectionMessage, _ index: Int) {
        guard let connection = devices[index].connectionNumber else { return }
        guard !links[index].impairment.isUnimpaired else { return environment.send(message, over: connection) }
        // A client discards old sound instead of queueing it.
        if case .audio = message, links[index].impairment.up.backlog(at: now) > .milliseconds(200) { return }
        let impairment = links[index].impairment
        links[index].impairment.up.send(message, impairment, at: now)
    }

    /// Changes the link of a device.
    func changeLink(_ index: Int, _ change: (inout Link) -> Void) {
        change(&links[index])
        if links[index].isImpaired { links[index].mayDisconnect = true }
        applyReading(index)
        allowDeliverySkew()
    }

    /// Allows all connections to end from now on, since the hub ends or is suspended.
    func allowDisconnects() {
        for index in links.indices { links[index].mayDisconnect = true }
    }

    /// Applies a link's reading state to its connection.
    func applyReading(_ index: Int) {
        guard let connection = devices[index].connectionNumber else { return }
        environment.setReading(links[index].reads, connection)
    }
}
