import HubEngine

/// A command of the hub's loop to another loop; commands run in the order of sending.
enum LoopCommand: Sendable {
    /// See ``ServerLoop/sendText(_:to:number:isLast:)``.
    case sendText([UInt8], ConnectionID, number: UInt64, isLast: Bool)
    /// See ``ServerLoop/markAuthenticated(_:)``.
    case markAuthenticated(ConnectionID)
    /// See ``ServerLoop/markAuthenticating(_:_:)``.
    case markAuthenticating(ConnectionID, Bool)
    /// See ``ServerLoop/close(_:code:reason:)``.
    case close(ConnectionID, code: UInt16, reason: String)
    /// A command for the loop's relay.
    case relay(RelayCommand)
    /// See ``ServerLoop/answer(_:with:)``.
    case answer(HTTPRequestID, HTTPResponse)

    /// Executes the command.
    ///
    /// - Parameters:
    ///   - loop: The loop, on its thread.
    ///   - relay: The relay of the loop; nil before the loop has started.
    ///   - now: The time by the hub's clock.
    /// - Returns: The packet statistics of an audio session that the command ends or queries; nil otherwise.
    func run(on loop: ServerLoop, _ relay: AudioRelay<Connections>?, at now: Instant) -> LegQuality? {
        switch self {
        case .sendText(let bytes, let id, let number, let isLast):
            loop.sendText(bytes, to: id, number: number, isLast: isLast)
        case .markAuthenticated(let id): loop.markAuthenticated(id)
        case .markAuthenticating(let id, let isAuthenticating): loop.markAuthenticating(id, isAuthenticating)
        case .close(let id, let code, let reason): loop.close(id, code: code, reason: reason)
        case .relay(let command): return relay?.apply(command, at: now)
        case .answer(let requestID, let response): loop.answer(requestID, with: response)
        }
        return nil
    }
}

/// An event that another loop passes to the hub's loop, in the order of occurrence.
enum LoopReport: Sendable {
    /// See ``TransportHandler/opened(_:info:)``.
    case opened(ConnectionID, ConnectionInfo)
    /// See ``TransportHandler/received(text:from:)``.
    case text([UInt8], ConnectionID)
    /// See ``TransportHandler/slowConsumer(_:firstLost:)``.
    case slowConsumer(ConnectionID, firstLost: UInt64?)
    /// See ``TransportHandler/closed(_:reason:)``.
    case closed(ConnectionID, ConnectionEnd)
    /// See ``TransportHandler/httpGet(_:requestID:)``.
    case httpGet(HTTPRequest, HTTPRequestID)
    /// The packet statistics of an audio session.
    case quality(LegQuality)
    /// Dropped packets that a client is to be notified of.
    case dropped(DropReport)

    /// The size of the report in the loop's backlog, in bytes.
    var backlogBytes: Int {
        switch self {
        case .text(let bytes, _): bytes.count + 64
        case .opened, .slowConsumer, .closed, .httpGet, .quality, .dropped: 64
        }
    }
}
