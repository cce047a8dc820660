/// What the sockets tell the hub; all of it on the loop's thread, none of it from inside a call of the hub's own.
///
/// For each `opened` there is exactly one `closed`. After the hub called `close` or `abort` for a connection
/// nothing but that `closed` comes from it.
protocol TransportHandler: AnyObject {
    /// The loop is made and about to serve; keep it unowned, since it retains the handler.
    func started(_ loop: ServerLoop)

    /// A handshake is through; nothing has been received yet, sending is allowed.
    func opened(_ id: ConnectionID, info: ConnectionInfo)

    /// A whole text message, valid UTF-8; the bytes are gone after the call.
    func received(text: UnsafeRawBufferPointer, from id: ConnectionID)

    /// A whole binary message of at most `maximumAudioBytes`; gone after the call.
    ///
    /// The four bytes in front of it may be written to, and ``Connections/sendAudio(_:to:)`` does: the packet can be
    /// passed on to any number of connections from this very memory. `nanoseconds` is when the loop's turn began, by
    /// ``ServerLoop/now``: the clock is read once a turn.
    func received(audio: UnsafeMutableRawBufferPointer, from id: ConnectionID, at nanoseconds: UInt64)

    /// A binary message of more than `maximumAudioBytes` came and was thrown away.
    func receivedOversizeAudio(byteCount: Int, from id: ConnectionID)

    /// More than `maximumQueuedTextBytes` wait for a connection; what is sent on is lost, so close it.
    ///
    /// Comes once, on a later turn of the loop than the send that found it out.
    func slowConsumer(_ id: ConnectionID)

    /// The connection is gone or on its way out: nothing more comes from it or goes to it.
    func closed(_ id: ConnectionID, how: ConnectionEnd)

    /// The moment given to ``ServerLoop/armDeadline(at:)`` has come.
    func deadlineReached()

    /// The moment given to ``ServerLoop/armTick(at:)`` has come.
    func tick()

    /// The loop has nothing more to do and is about to wait.
    func turnEnds()

    /// GET or HEAD of a path; nil leaves it to the static files.
    ///
    /// - Parameters:
    ///   - path: Begins with `/`, decoded, without dot segments.
    ///   - query: What stood behind `?`, still encoded.
    /// - Returns: The answer, or nil.
    func httpGet(path: String, query: String) -> HTTPResponse?
}

extension TransportHandler {
    /// Nothing is played.
    func tick() {}

    /// Nothing waits for it.
    func turnEnds() {}
}
