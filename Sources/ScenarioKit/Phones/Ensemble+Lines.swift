import HubWire

/// The devices' lines to the hub.
extension Ensemble {
    /// Connects a device; the request sets out as soon as that is done.
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

    /// A device's line is gone without a word.
    func cut(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.cut(line)
        lineIsGone(index)
    }

    /// A device closes its line in good order.
    func hangUp(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.hangUp(line)
        lineIsGone(index)
    }

    /// A device's line is there no more.
    func lineIsGone(_ index: Int) {
        openings[index] = nil
        links[index].shape.clear()
        links[index].isFull = false
        phones[index].loseLine(at: now)
    }

    /// A device sends a request.
    ///
    /// - Returns: Its number, by which the answer is known.
    func ask(_ index: Int, _ request: ClientRequest) -> Int {
        let (number, bytes) = phones[index].text(of: request)
        note(index, .request, request.method.rawValue, words(for: request), bytes: bytes)
        countRequest()
        send(.text(bytes), index)
        return number
    }

    /// A device sends a message, by way of its line's shape.
    func send(_ message: LineMessage, _ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        guard !links[index].shape.isPlain else { return stage.send(message, over: line) }
        // A client throws old sound away rather than have it wait.
        if case .audio = message, links[index].shape.up.backlog(at: now) > .milliseconds(200) { return }
        let shape = links[index].shape
        links[index].shape.up.send(message, shape, at: now)
    }

    /// A device's connection is treated otherwise from now on.
    func bend(_ index: Int, _ change: (inout Link) -> Void) {
        change(&links[index])
        if links[index].isStrained { links[index].mayEnd = true }
        applyReading(index)
        noteUneven()
    }

    /// All connections may end from now on: the hub does, or stands still.
    func letConnectionsEnd() {
        for index in links.indices { links[index].mayEnd = true }
    }

    /// Has a device's line be read, or not.
    func applyReading(_ index: Int) {
        guard let line = phones[index].lineNumber else { return }
        stage.setReading(links[index].reads, line)
    }
}
