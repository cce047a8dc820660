import HubWire

/// An input of the state machine of a client's session, `SessionCore`.
enum SessionInput {
    /// Connect and sign in.
    case begin
    /// The WebSocket handshake of a socket is complete.
    case socketOpened(Int)
    /// A text message was received.
    case text(Int, [UInt8])
    /// Other data was received: audio, a pong.
    case alive(Int)
    /// A socket was closed or could not be connected.
    case socketEnded(Int, reason: String)
    /// The program sends a request; the token identifies the response.
    case request(ClientRequest, token: UInt64)
    /// The program ends the session.
    case close
    /// A deadline may have passed.
    case timePassed
}

/// An effect of an input, to be carried out in order.
enum SessionEffect {
    /// Connect a new socket with this number.
    case openSocket(Int)
    /// Break the connection of a socket; its further events are ignored.
    case dropSocket(Int)
    /// Close a socket with WebSocket code 1000.
    case closeSocket(Int)
    /// Send a text message.
    case send(Int, [UInt8])
    /// Send a WebSocket ping.
    case ping(Int)
    /// The first sign-in has succeeded.
    case opened(SessionOpenResult)
    /// The first sign-in has failed, and the session has ended.
    case failed(HubClientError)
    /// The result of the program's request.
    case answer(token: UInt64, Result<ReplyPayload, HubClientError>)
    /// Notify the program.
    case event(ClientEvent)
}
