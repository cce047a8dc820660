/// The deviations of libwebsockets 4.1.6 from RFC 6455; docs/websocket.md has a row for each.
enum Deviation: String, CaseIterable, Sendable {
    case unmasked = "An unmasked frame is handled like a masked one"
    case stretchedLength = "A length in more bytes than needed is accepted"
    case longLength = "A length of 2^63 or more ends the socket without a close frame"
    case longControl = "A control frame with an extended length ends the socket without a close frame"
    case firstPing = "Of several pings at once the first is answered, not the latest"
    case pongAsText = "A pong behind or inside a text is checked as a part of its UTF-8"
    case smallCode = "A close code below 3000 that may not be sent is answered with 1000, like 1012 to 1014"
    case reasonText = "A close reason that is not UTF-8 ends the socket without a close frame"
    case violationBehindClose = "A violation right behind a close frame ends the socket before the close is answered"
    case httpVersion = "A handshake of any HTTP version is accepted"
    case noConnection = "A handshake without Connection: Upgrade ends the socket without a response"
    case shortConnection = "A beginning of the word Upgrade is enough in Connection"
    case upgradeList = "An Upgrade field that names several protocols is refused"
    case trailingSpace = "A field value with a space behind it is another value, and the handshake is refused"
}
