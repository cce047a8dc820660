import HubWire

/// What happened to a client's session: the only way into `SessionCore`.
enum SessionInput {
    /// The client wants to be connected.
    case begin
    /// The WebSocket handshake of a socket is done.
    case socketOpened(Int)
    /// A text message came.
    case text(Int, [UInt8])
    /// Something else came: audio, a pong.
    case alive(Int)
    /// A socket is over, or never began.
    case socketEnded(Int, reason: String)
    /// The program asks for something; the token comes back with the answer.
    case request(ClientRequest, token: UInt64)
    /// The program wants to leave.
    case leave
    /// A deadline may have passed.
    case timePassed
}

/// What is to be done about it, in this order.
enum SessionEffect {
    /// Connect a new socket with this number.
    case openSocket(Int)
    /// Break a socket off; nothing of it matters any more.
    case dropSocket(Int)
    /// Leave in order: WebSocket close 1000.
    case closeSocket(Int)
    /// Send a text message.
    case send(Int, [UInt8])
    /// Send a WebSocket ping.
    case ping(Int)
    /// The first sign-in has worked.
    case opened(SessionOpened)
    /// The first sign-in has failed, and that is the end.
    case failed(HubClientError)
    /// The answer to the program's request.
    case answer(token: UInt64, Result<ReplyPayload, HubClientError>)
    /// Tell the program.
    case event(ClientEvent)
}
