/// The receiver of a loop's events; called on the loop's thread, never from inside a call of its own.
///
/// For each `opened` there is exactly one `closed`. After the hub has called `close` or `abort` for a connection,
/// `closed` is its only further event.
protocol TransportHandler: MessageReceiver {
    /// Called before the loop serves; a reference to it must be unowned, since it retains the handler.
    func started(_ loop: ServerLoop)

    /// Called after a handshake: nothing has been received yet, sending is allowed.
    func opened(_ id: ConnectionID, info: ConnectionInfo)

    /// Called if more than `maximumQueuedTextBytes` would be queued for a connection, which is then to be closed.
    ///
    /// All queued text was discarded, and so is further text except one sent as the last. Called once, in a later
    /// iteration of the loop than the send. `firstLost` is the number of the first numbered text that was discarded;
    /// nil: there was none.
    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?)

    /// Called when a connection is closed or closing: nothing more is received from it or sent to it.
    func closed(_ id: ConnectionID, reason: ConnectionEnd)

    /// Called at the time given to ``ServerLoop/armDeadline(at:)``.
    func deadlineReached()

    /// Called at the time given to ``ServerLoop/armTick(at:)``.
    func tick()

    /// Called at the end of an iteration, before the loop waits.
    func iterationEnds()

    /// Called after a wake-up by another thread, before the closures it has posted are run.
    func willHandleWakeUp()

    /// Called after those closures were run; another loop may have left data.
    func handleWakeUp()

    /// Answers a GET or HEAD.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - requestID: The identifier of the request for ``ServerLoop/answer(_:with:)``, if it is answered later.
    /// - Returns: The response, or that it comes later, or that the path is not the handler's.
    func httpGet(_ request: HTTPRequest, requestID: HTTPRequestID) -> HTTPHandlerResult
}

extension TransportHandler {
    /// Does nothing, for handlers that play no audio.
    func tick() {}

    /// Does nothing, for handlers that queue nothing for the end of an iteration.
    func iterationEnds() {}

    /// Does nothing.
    func willHandleWakeUp() {}

    /// Does nothing, for hubs of one loop.
    func handleWakeUp() {}
}
