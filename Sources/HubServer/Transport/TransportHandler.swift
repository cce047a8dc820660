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

    /// More than `maximumQueuedTextBytes` wait for a connection: all of it is thrown away, and so is what is sent on, but for
    /// a last word; close it.
    ///
    /// Comes once, on a later turn of the loop than the send that found it out. `firstLost` is the number of the first
    /// numbered text that was thrown away; nil: there was none.
    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?)

    /// The connection is gone or on its way out: nothing more comes from it or goes to it.
    func closed(_ id: ConnectionID, how: ConnectionEnd)

    /// The moment given to ``ServerLoop/armDeadline(at:)`` has come.
    func deadlineReached()

    /// The moment given to ``ServerLoop/armTick(at:)`` has come.
    func tick()

    /// The loop has nothing more to do and is about to wait.
    func turnEnds()

    /// Another thread has something to say, and its commands are about to be taken.
    func wakesUp()

    /// They have been run, and another loop may have left something.
    func wokenUp()

    /// Answers a GET or HEAD.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - ticket: Names the request to ``ServerLoop/answer(_:with:)``, where it is answered later.
    /// - Returns: The answer, or who has it.
    func httpGet(_ request: HTTPRequest, ticket: HTTPTicket) -> HTTPAnswer
}

extension TransportHandler {
    /// Nothing is played.
    func tick() {}

    /// Nothing waits for it.
    func turnEnds() {}

    /// It makes no difference.
    func wakesUp() {}

    /// There are no other loops.
    func wokenUp() {}
}
