/// Long messages, handled one an iteration of the loop.
extension Hub {
    /// Queues a message if it is long, or one of its connection is queued.
    ///
    /// - Parameters:
    ///   - text: The message.
    ///   - id: The connection.
    /// - Returns: False if the message is to be handled now.
    func queuesLongText(_ text: UnsafeRawBufferPointer, from id: ConnectionID) -> Bool {
        guard longTexts.mustQueue(text.count, from: id), let thread = transport?.thread else { return false }
        let wasEmpty = longTexts.isEmpty
        longTexts.add(text, from: id)
        while longTexts.isFull { handleLongText() }
        if wasEmpty { thread.run { $0.handleLongTexts() } }
        return true
    }

    /// Handles the oldest queued messages up to and with a long one, and the others in later iterations.
    private func handleLongTexts() {
        while let count = handleLongText(), count < LongTextQueue.minimumBytes {}
        guard !longTexts.isEmpty, let thread = transport?.thread else { return }
        thread.run { $0.handleLongTexts() }
    }

    /// Handles all queued messages of a connection that is being closed.
    ///
    /// - Parameter id: The connection.
    func handleLongTexts(of id: ConnectionID) {
        for text in longTexts.removeAll(of: id) { handle(text) }
    }

    /// Handles the oldest queued message.
    ///
    /// - Returns: Its length in bytes; nil: nothing was queued.
    @discardableResult
    private func handleLongText() -> Int? {
        guard let text = longTexts.next() else { return nil }
        handle(text)
        return text.bytes.count
    }

    private func handle(_ text: LongTextQueue.Text) {
        text.bytes.withUnsafeBytes { handle(text: $0, from: text.connection) }
    }
}
