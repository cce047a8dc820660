import Foundation

/// A phone without our client: JSON and WebSocket by hand, so that a test sees every number that the hub sends.
///
/// One thread at a time.
public final class RawPhone {
    /// A JSON object, as Foundation reads it.
    public typealias Object = [String: Any]

    /// The connection of the moment.
    public private(set) var socket: RawWebSocket

    /// Every notification that came, on all connections, in order.
    public private(set) var notifications: [Object] = []

    /// The result of the last `session.open` that worked.
    public private(set) var session: Object = [:]

    /// Binary messages that came.
    public private(set) var packets: [[UInt8]] = []

    private let port: Int
    private var lastID = 0
    /// How many notifications `next` has looked at.
    private var examined = 0

    /// Connects; does not sign in.
    ///
    /// - Parameters:
    ///   - port: Of the hub, or of a link to it.
    ///   - account: Signed in as, with the other members of `session.open`; nil: not signed in.
    ///   - receiveBufferBytes: Of its socket, so small that one who does not read is found out soon.
    ///   - more: Other members of `session.open`.
    /// - Throws: ``RawSocketError``.
    public init(
        port: Int,
        account: String? = nil,
        receiveBufferBytes: Int? = nil,
        _ more: Object = [:]
    ) throws {
        self.port = port
        if let receiveBufferBytes {
            let raw = try RawSocket(port: port, receiveBufferBytes: receiveBufferBytes)
            socket = RawWebSocket(raw)
            try socket.requestUpgrade(host: "127.0.0.1:\(port)")
            _ = try HTTPReply(from: raw)
        } else {
            socket = try RawWebSocket(port: port)
        }
        guard let account else { return }
        try open(more.merging(["account": account]) { $1 })
    }

    /// Signs in.
    ///
    /// - Parameter params: Of `session.open`.
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    @discardableResult
    public func open(_ params: Object) throws -> Object {
        let reply = try ask("session.open", params)
        if let result = reply["result"] as? Object { session = result }
        return reply
    }

    /// Connects anew, the old connection kept, and takes the session up; without `seq`, after the last notification.
    ///
    /// - Parameters:
    ///   - seq: The last number that this phone claims to have.
    ///   - changes: Of the members of `resume`.
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    @discardableResult
    public func resume(after seq: Int? = nil, _ changes: Object = [:]) throws -> Object {
        socket = try RawWebSocket(port: port)
        return try resumeHere(after: seq, changes)
    }

    /// Takes the session up on the connection of the moment.
    ///
    /// - Parameters:
    ///   - seq: The last number that this phone claims to have.
    ///   - changes: Of the members of `resume`.
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    @discardableResult
    public func resumeHere(after seq: Int? = nil, _ changes: Object = [:]) throws -> Object {
        let reply = try ask("session.open", ["resume": resumption(after: seq, changes)])
        if let result = reply.result { session = result }
        return reply
    }

    /// Asks to take the session up, and reads no answer.
    ///
    /// - Throws: ``RawSocketError``.
    public func sendResume() throws {
        try send("session.open", ["resume": resumption(after: nil, [:])])
    }

    private func resumption(after seq: Int?, _ changes: Object) -> Object {
        let known: Object = [
            "session": session["session"] ?? "", "token": session["resumeToken"] ?? "", "seq": seq ?? lastSeq,
        ]
        return known.merging(changes) { $1 }
    }

    /// Connects anew without a word; what came before is kept.
    ///
    /// - Throws: ``RawSocketError``.
    public func reconnect() throws {
        socket = try RawWebSocket(port: port)
    }

    /// Asks, and reads on until the answer; what else comes is kept.
    ///
    /// - Parameters:
    ///   - method: Of the protocol.
    ///   - params: Its parameters.
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    @discardableResult
    public func ask(_ method: String, _ params: Object = [:]) throws -> Object {
        try send(method, params)
        return try reply(to: lastID)
    }

    /// Asks, and reads nothing.
    ///
    /// - Parameters:
    ///   - method: Of the protocol.
    ///   - params: Its parameters.
    /// - Throws: ``RawSocketError``.
    public func send(_ method: String, _ params: Object = [:]) throws {
        lastID += 1
        let request: Object = ["jsonrpc": "2.0", "id": lastID, "method": method, "params": params]
        try socket.send(opcode: 1, Array(try JSONSerialization.data(withJSONObject: request)))
    }

    /// Reads on until an answer; what else comes is kept.
    ///
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    public func reply() throws -> Object {
        try reply(to: nil)
    }

    /// Sends a text as it is, and reads on until an answer; what else comes is kept.
    ///
    /// - Parameter text: Something that is to be answered.
    /// - Returns: The whole answer.
    /// - Throws: ``RawSocketError``.
    @discardableResult
    public func say(_ text: String) throws -> Object {
        try socket.send(text: text)
        return try reply()
    }

    /// The next notification that fits, from where the last wait ended; what is passed over is kept too.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - fits: What its parameters must be.
    /// - Returns: Its parameters.
    /// - Throws: ``RawSocketError``; ``RawSocketError/timedOut`` after twenty seconds.
    @discardableResult
    public func next(_ method: String, where fits: (Object) -> Bool = { _ in true }) throws -> Object {
        let deadline = Deadline(seconds: 20)
        while true {
            while examined < notifications.count {
                examined += 1
                let notification = notifications[examined - 1]
                guard notification["method"] as? String == method, let params = notification["params"] as? Object,
                    fits(params)
                else { continue }
                return params
            }
            guard !deadline.isOver else { throw RawSocketError.timedOut }
            _ = try read()
        }
    }

    /// Reads on until the connection ends.
    ///
    /// - Returns: The code of the close frame; 1006 where there was none.
    /// - Throws: ``RawSocketError/timedOut``.
    public func readToEnd() throws -> UInt16 {
        do {
            while true {
                if case .closed(let code) = try read() { return code }
            }
        } catch let error as RawSocketError where error == .ended || error == .reset {
            return 1006
        }
    }

    /// The numbers of all notifications, in the order in which they came.
    public var seqs: [Int] {
        notifications.map { (($0["params"] as? Object)?["seq"] as? Int) ?? -1 }
    }

    /// The methods of all notifications, in the order in which they came.
    public var methods: [String] {
        notifications.map { $0["method"] as? String ?? "" }
    }

    /// The number of the last notification; 0: none.
    public var lastSeq: Int { seqs.last ?? 0 }

    private enum Message {
        case notification
        case reply(Object)
        case binary
        case closed(UInt16)
    }

    private func reply(to id: Int?) throws -> Object {
        while true {
            switch try read() {
            case .reply(let reply): if id == nil || reply["id"] as? Int == id { return reply }
            case .closed(let code): throw RawSocketError.unexpectedReply("close \(code)")
            case .notification, .binary: continue
            }
        }
    }

    private func read() throws -> Message {
        while true {
            let frame = try socket.readFrame(timeout: 20)
            switch frame.opcode {
            case 1:
                guard let object = try JSONSerialization.jsonObject(with: Data(frame.payload)) as? Object else {
                    throw RawSocketError.unexpectedReply(frame.text)
                }
                guard object["method"] != nil else { return .reply(object) }
                notifications.append(object)
                return .notification
            case 2:
                packets.append(frame.payload)
                return .binary
            case 8:
                return .closed(frame.closeCode ?? 1005)
            case 9:
                try socket.send(opcode: 10, frame.payload)
            default: continue
            }
        }
    }
}

extension RawPhone.Object {
    /// The number of an answer's error; 0: there is none.
    public var errorCode: Int { (self["error"] as? RawPhone.Object)?["code"] as? Int ?? 0 }

    /// The sentence of an answer's error.
    public var errorMessage: String { (self["error"] as? RawPhone.Object)?["message"] as? String ?? "" }

    /// What else an answer's error says.
    public var errorData: RawPhone.Object { (self["error"] as? RawPhone.Object)?["data"] as? RawPhone.Object ?? [:] }

    /// An answer's result.
    public var result: RawPhone.Object? { self["result"] as? RawPhone.Object }

    /// A call's UUID in the parameters of `call.changed`.
    public var call: RawPhone.Object { self["call"] as? RawPhone.Object ?? [:] }
}
