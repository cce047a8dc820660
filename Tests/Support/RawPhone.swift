import Foundation

/// A phone without our client: JSON and WebSocket by hand, so that a test sees every sequence number of the hub.
///
/// One thread at a time.
public final class RawPhone {
    /// A JSON object, as Foundation reads it.
    public typealias Object = [String: Any]

    /// The present connection.
    public private(set) var socket: RawWebSocket

    /// Every notification received, on all connections, in order.
    public private(set) var notifications: [Object] = []

    /// The result of the last `session.open` that succeeded.
    public private(set) var session: Object = [:]

    /// Binary messages received.
    public private(set) var packets: [[UInt8]] = []

    private let port: Int
    private var lastID = 0
    /// The number of notifications that `next` has examined.
    private var examined = 0

    /// Connects, and signs in if there is an account.
    ///
    /// - Parameters:
    ///   - port: The TCP port of the hub, or of a link to it.
    ///   - account: The account to sign in as; nil: not signed in.
    ///   - receiveBufferBytes: SO_RCVBUF, small so that a client that does not read is noticed soon; nil: the system's.
    ///   - more: Further members of `session.open`.
    /// - Throws: ``RawSocketError`` if the connection, the handshake or the sign-in fails or times out.
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
    /// - Parameter params: The parameters of `session.open`.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if the connection ends or nothing is received for 20 s.
    @discardableResult
    public func open(_ params: Object) throws -> Object {
        let reply = try ask("session.open", params)
        if let result = reply["result"] as? Object { session = result }
        return reply
    }

    /// Signs in with a wrong password until the hub looks at no further one: a busy machine takes long enough for some
    /// attempts to be allowed again.
    ///
    /// - Returns: The reply that is not 401.
    public func guessUntilRefused(_ account: String) throws -> Object {
        var reply: Object
        var attempts = 0
        repeat {
            reply = try open(["account": account, "password": "x"])
            attempts += 1
        } while reply.errorCode == 401 && attempts < 1_000
        return reply
    }

    /// Connects anew, the old connection kept, and resumes the session; without `seq`, after the last notification.
    ///
    /// - Parameters:
    ///   - seq: The last sequence number that this phone claims to have.
    ///   - changes: Members of `resume` that replace the usual ones.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if it cannot connect, the connection ends, or nothing is received for 20 s.
    @discardableResult
    public func resume(after seq: Int? = nil, _ changes: Object = [:]) throws -> Object {
        socket = try RawWebSocket(port: port)
        return try resumeHere(after: seq, changes)
    }

    /// Resumes the session on the present connection.
    ///
    /// - Parameters:
    ///   - seq: The last sequence number that this phone claims to have.
    ///   - changes: Members of `resume` that replace the usual ones.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if the connection ends or nothing is received for 20 s.
    @discardableResult
    public func resumeHere(after seq: Int? = nil, _ changes: Object = [:]) throws -> Object {
        let reply = try ask("session.open", ["resume": resumption(after: seq, changes)])
        if let result = reply.result { session = result }
        return reply
    }

    /// Sends a request to resume the session, and reads no response.
    ///
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func sendResume() throws {
        try send("session.open", ["resume": resumption(after: nil, [:])])
    }

    private func resumption(after seq: Int?, _ changes: Object) -> Object {
        let known: Object = [
            "session": session["session"] ?? "", "token": session["resumeToken"] ?? "", "seq": seq ?? lastSeq,
        ]
        return known.merging(changes) { $1 }
    }

    /// Connects anew and sends nothing; notifications and packets received before are kept.
    ///
    /// - Throws: ``RawSocketError`` if it cannot connect.
    public func reconnect() throws {
        socket = try RawWebSocket(port: port)
    }

    /// Sends a request, and reads until its response; other messages are kept.
    ///
    /// - Parameters:
    ///   - method: A method of the protocol.
    ///   - params: The parameters of the method.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if the connection ends or nothing is received for 20 s.
    @discardableResult
    public func ask(_ method: String, _ params: Object = [:]) throws -> Object {
        try send(method, params)
        return try reply(to: lastID)
    }

    /// Sends a request, and reads nothing.
    ///
    /// - Parameters:
    ///   - method: A method of the protocol.
    ///   - params: The parameters of the method.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func send(_ method: String, _ params: Object = [:]) throws {
        lastID += 1
        let request: Object = ["jsonrpc": "2.0", "id": lastID, "method": method, "params": params]
        try socket.send(opcode: 1, Array(try JSONSerialization.data(withJSONObject: request)))
    }

    /// Reads until a response; other messages are kept.
    ///
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if the connection ends or nothing is received for 20 s.
    public func reply() throws -> Object {
        try reply(to: nil)
    }

    /// Sends a text as it is, and reads until a response; other messages are kept.
    ///
    /// - Parameter text: A message that the hub responds to.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if the connection ends or nothing is received for 20 s.
    @discardableResult
    public func say(_ text: String) throws -> Object {
        try socket.send(text: text)
        return try reply()
    }

    /// Returns the next notification that fits, from where the last wait ended; skipped ones are kept too.
    ///
    /// - Parameters:
    ///   - method: The method of the notification.
    ///   - fits: Returns true for its parameters.
    /// - Returns: The parameters of the notification.
    /// - Throws: ``RawSocketError`` if the connection ends; ``RawSocketError/timedOut`` after twenty seconds.
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

    /// Reads until the connection ends.
    ///
    /// - Returns: The code of the close frame; 1006 if there was none.
    /// - Throws: ``RawSocketError/timedOut`` if nothing is received for 20 s.
    public func readToEnd() throws -> UInt16 {
        do {
            while true {
                if case .closed(let code) = try read() { return code }
            }
        } catch let error as RawSocketError where error == .ended || error == .reset {
            return 1006
        }
    }

    /// The sequence numbers of all notifications, in the order of receipt; -1 for one without.
    public var seqs: [Int] {
        notifications.map { (($0["params"] as? Object)?["seq"] as? Int) ?? -1 }
    }

    /// The methods of all notifications, in the order of receipt.
    public var methods: [String] {
        notifications.map { $0["method"] as? String ?? "" }
    }

    /// The sequence number of the last notification; 0: none.
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
    /// The code of a response's error; 0: there is none.
    public var errorCode: Int { (self["error"] as? RawPhone.Object)?["code"] as? Int ?? 0 }

    /// The message of a response's error.
    public var errorMessage: String { (self["error"] as? RawPhone.Object)?["message"] as? String ?? "" }

    /// The data of a response's error.
    public var errorData: RawPhone.Object { (self["error"] as? RawPhone.Object)?["data"] as? RawPhone.Object ?? [:] }

    /// The result of a response.
    public var result: RawPhone.Object? { self["result"] as? RawPhone.Object }

    /// The snapshot of a call in the parameters of `call.changed`.
    public var call: RawPhone.Object { self["call"] as? RawPhone.Object ?? [:] }
}
