import HubWire

/// The devices' connections to the hub.
extension Ensemble {
    /// Connects a device, and sends the request once the connection is open; returns the request's number.
    func connect(_ index: Int, _ request: ClientRequest) -> Int {
        cut(index)
        lastLine += 1
        let phone = phones[index]
        let (number, bytes) = phone.text(of: request)
        phone.line = .opening
        phone.lineNumber = lastLine
        openings[index] = (lastLine, bytes)
        links[index].mayEnd = links[index].isStrained
        note(index, .request, request.method.rawValue, words(for: request), bytes: bytes)
        stage.connect(lastLine)
        return number
    }

    /// Drops a device's connection without a closing handshake.
    func cut(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.cut(line)
        lineIsGone(index)
    }

    /// Closes a device's connection with a closing handshake.
    func hangUp(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.hangUp(line)
        lineIsGone(index)
    }

    /// Updates a device after the end of its connection.
    func lineIsGone(_ index: Int) {
        openings[index] = nil
        links[index].shape.clear()
        links[index].isFull = false
        phones[index].loseLine(at: now)
    }

    /// Sends a request of a device.
    ///
    /// - Returns: The request's number, which identifies the reply.
    func ask(_ index: Int, _ request: ClientRequest) -> Int {
        let (number, bytes) = phones[index].text(of: request)
        note(index, .request, request.method.rawValue, words(for: request), bytes: bytes)
        countRequest()
        send(.text(bytes), index)
        return number
    }

    /// Sends a message of a device, delayed by its link's shape.
    func send(_ message: LineMessage, _ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        guard !links[index].shape.isPlain else { return stage.send(message, over: line) }
        // A client discards old sound instead of queueing it.
        if case .audio = message, links[index].shape.up.backlog(at: now) > .milliseconds(200) { return }
        let shape = links[index].shape
        links[index].shape.up.send(message, shape, at: now)
    }

    /// Changes the link of a device.
    func bend(_ index: Int, _ change: (inout Link) -> Void) {
        change(&links[index])
        if links[index].isStrained { links[index].mayEnd = true }
        applyReading(index)
        noteUneven()
    }

    /// Allows all connections to end from now on, since the hub ends or is suspended.
    func letConnectionsEnd() {
        for index in links.indices { links[index].mayEnd = true }
    }

    /// Applies a link's reading state to its connection.
    func applyReading(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.setReading(links[index].reads, line)
    }
}
