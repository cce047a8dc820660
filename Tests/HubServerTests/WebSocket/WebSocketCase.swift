import HubTestSupport
import Testing

/// A case of RFC 6455: the bytes that a client sends behind the handshake, and the verdict that the RFC demands.
struct WebSocketCase: Sendable, CustomTestStringConvertible {
    /// A step of the client.
    enum Step: Sendable {
        /// Sends bytes in a TCP segment of their own, which the server has read before the next step.
        case send([UInt8])
        /// Closes the client's sending side of the TCP connection.
        case halfClose
        /// Receives a number of frames.
        case receive(Int)
    }

    /// The section of the RFC.
    let section: String

    /// The bytes sent, in words.
    let sent: String

    /// The client's steps.
    let steps: [Step]

    /// The verdict that the RFC demands.
    let demand: Verdict

    /// The deviation of libwebsockets with its verdict; nil: it does as the RFC demands.
    private(set) var deviation: (mark: Deviation, verdict: Verdict)?

    /// The verdict that the server is held to.
    var expected: Verdict { deviation?.verdict ?? demand }

    var testDescription: String { "\(section) \(sent): \(demand)" }

    /// A case that the server handles as the RFC demands.
    ///
    /// - Parameters:
    ///   - section: The section of the RFC.
    ///   - sent: The bytes sent, in words.
    ///   - steps: The client's steps.
    ///   - demand: The verdict that the RFC demands.
    init(_ section: String, _ sent: String, _ steps: [Step], _ demand: Verdict) {
        (self.section, self.sent, self.steps, self.demand) = (section, sent, steps, demand)
    }

    /// A case whose bytes are sent in one TCP segment.
    ///
    /// - Parameters:
    ///   - section: The section of the RFC.
    ///   - sent: The bytes sent, in words.
    ///   - bytes: The bytes.
    ///   - demand: The verdict that the RFC demands.
    init(_ section: String, _ sent: String, _ bytes: [UInt8], _ demand: Verdict) {
        self.init(section, sent, [.send(bytes)], demand)
    }

    /// Marks the case as one in which libwebsockets deviates from the RFC.
    ///
    /// - Parameters:
    ///   - mark: The deviation.
    ///   - verdict: The verdict of libwebsockets.
    /// - Returns: The marked case.
    func deviates(_ mark: Deviation, _ verdict: Verdict) -> WebSocketCase {
        var marked = self
        marked.deviation = (mark, verdict)
        return marked
    }
}

/// The server's reaction to a case.
struct Verdict: Equatable, Sendable, CustomStringConvertible {
    /// The state of the connection behind the last step.
    enum End: Equatable, Sendable {
        /// Open: a further text is echoed.
        case open
        /// Closed by the server with one of these codes; 1005: none; 0: a payload of one byte.
        case failed([UInt16])
        /// The client's close frame was answered with one of these codes, and the socket ended.
        case answered([UInt16])
        /// The socket ended without a close frame.
        case ended
    }

    /// The messages echoed, in order.
    var messages: [RawWebSocket.Frame] = []

    /// The payloads of the pongs, in order.
    var pongs: [[UInt8]] = []

    /// The state of the connection behind the last step.
    var end = End.open

    /// Texts that are echoed on a connection that stays open.
    static func texts(_ texts: String...) -> Verdict {
        Verdict(messages: texts.map { .init(opcode: 1, payload: Array($0.utf8)) })
    }

    /// A text that is echoed on a connection that stays open.
    static func text(_ payload: [UInt8]) -> Verdict {
        Verdict(messages: [.init(opcode: 1, payload: payload)])
    }

    /// A packet that is echoed on a connection that stays open.
    static func binary(_ payload: [UInt8]) -> Verdict {
        Verdict(messages: [.init(opcode: 2, payload: payload)])
    }

    /// Pongs on a connection that stays open.
    static func pongs(_ payloads: [UInt8]...) -> Verdict {
        Verdict(pongs: payloads)
    }

    /// Nothing is sent, and the connection stays open.
    static let silence = Verdict()

    /// The connection fails with a code.
    static func fails(_ code: UInt16) -> Verdict {
        Verdict(end: .failed([code]))
    }

    /// The client's close frame is answered with one of these codes.
    static func answers(_ codes: UInt16...) -> Verdict {
        Verdict(end: .answered(codes))
    }

    /// The socket ends without a close frame.
    static let ends = Verdict(end: .ended)

    /// The same verdict, with another end.
    func then(_ end: End) -> Verdict {
        Verdict(messages: messages, pongs: pongs, end: end)
    }

    /// Compares with a verdict that was observed.
    ///
    /// - Parameter observed: A verdict with one code at most.
    /// - Returns: True if this one allows it.
    func allows(_ observed: Verdict) -> Bool {
        guard messages == observed.messages, pongs == observed.pongs else { return false }
        switch (end, observed.end) {
        case (.failed(let codes), .failed(let seen)), (.answered(let codes), .answered(let seen)):
            return seen.allSatisfy(codes.contains)
        default: return end == observed.end
        }
    }

    var description: String {
        var words: [String] = []
        if !messages.isEmpty { words.append("\(messages.count) echoed") }
        if !pongs.isEmpty { words.append("\(pongs.count) answered by a pong") }
        switch end {
        case .open: if words.isEmpty { words.append("stays open") }
        case .failed(let codes): words.append("fails with " + Self.list(codes))
        case .answered(let codes): words.append("close answered with " + Self.list(codes))
        case .ended: words.append("socket ends")
        }
        return words.joined(separator: ", ")
    }

    private static func list(_ codes: [UInt16]) -> String {
        codes.map(String.init).joined(separator: " or ")
    }
}
