import HubEngine

/// A text message of a client's, read; whatever it holds, there is something to answer.
public struct IncomingMessage: Sendable {
    /// What the answer is to carry; nil: the client wants none (JSON-RPC 2.0, Notification).
    ///
    /// Null where the message is so broken that it cannot be told (JSON-RPC 2.0, Response object).
    public let id: RequestID?
    /// The method, where there is one by that name, even if the parameters are at fault.
    public let method: ClientMethod?
    /// What is asked, or what is wrong with it.
    public let content: Result<ClientRequest, WireError>

    /// Reads one message, a JSON-RPC 2.0 request in UTF-8.
    ///
    /// Faults are found in this order: not JSON, not a request, no such method, parameters missing or of the wrong type
    /// or senseless (in the order in which the method's parameters are documented), an action of an unknown type.
    public init(parsing bytes: [UInt8]) {
        do throws(JSONScanner.Fault) {
            self.init(try JSONDocument(bytes).root)
        } catch {
            self.init(id: .null, content: .failure(WireError(error, in: bytes)))
        }
    }

    /// The `id` of a message that is not going to be read: next to no work, however long the message is.
    ///
    /// - Parameter bytes: Of a text message.
    /// - Returns: Nil where there is none before anything that is no JSON.
    public static func id(in bytes: [UInt8]) -> RequestID? {
        var scanner = JSONScanner(bytes)
        guard let range = scanner.range(ofMember: "id"), let first = bytes[range].first else { return nil }
        switch first {
        case UInt8(ascii: "\""):
            return .string(JSONScanner.string(bytes[range].dropFirst().dropLast()))
        case UInt8(ascii: "n"):
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(String(decoding: bytes[range], as: UTF8.self))
        default: return nil
        }
    }

    private init(id: RequestID?, method: ClientMethod? = nil, content: Result<ClientRequest, WireError>) {
        self.id = id
        self.method = method
        self.content = content
    }

    private init(_ message: JSONValue) {
        guard let members = try? Members(message) else {
            self.init(id: .null, content: .failure(.notAnObject(message)))
            return
        }
        let id = members.value("id")
        guard let known = Self.known(id) else {
            let message = "id is \(bounded(id?.text ?? [])); it must be a string, a number or null"
            self.init(id: .null, content: .failure(WireError(.invalidRequest, message)))
            return
        }
        self.init(id: known, members)
    }

    /// An `id`, or that there is none; nil: it is of a type that it must not be.
    private static func known(_ id: JSONValue?) -> RequestID?? {
        guard let id else { return .some(nil) }
        if id.isNull { return .null }
        if let text = id.string { return .string(text) }
        return id.isNumber ? .number(String(decoding: id.text, as: UTF8.self)) : nil
    }

    private init(id: RequestID?, _ members: Members) {
        do throws(MemberFault) {
            _ = try members.required("jsonrpc", "be \"2.0\"", orElse: .wrongType) { $0 == "2.0" ? $0 : nil }
            let name = try members.required("method", as: String.self, "be a string, the name of a method")
            guard let method = ClientMethod(rawValue: name) else {
                self.init(id: id, content: .failure(.unknownMethod(name)))
                return
            }
            self.init(id: id, method: method, content: Self.content(of: method, members))
        } catch {
            self.init(id: id ?? .null, content: .failure(WireError(.invalidRequest, error.sentence)))
        }
    }

    private static func content(of method: ClientMethod, _ members: Members) -> Result<ClientRequest, WireError> {
        do throws(MemberFault) {
            let params = try members.object("params", "be an object: parameters go by name, not by position")
            return .success(try method.read(params))
        } catch {
            return .failure(WireError(error))
        }
    }
}

extension WireError {
    fileprivate init(_ fault: JSONScanner.Fault, in bytes: [UInt8]) {
        switch fault {
        case .unexpected(let position, let expected):
            let place = position < bytes.count ? "at byte \(position)" : "at its end"
            self.init(.parseError, "the message is not JSON (RFC 8259): \(place) there must be \(expected)")
        case .tooDeep:
            let depth = JSONScanner.maximumDepth
            self.init(.parseError, "the message nests too deep; at most \(depth) levels of arrays and objects are read")
        }
    }

    init(_ fault: MemberFault) {
        let code: ErrorCode =
            switch fault.kind {
            case .missing, .wrongType: .invalidParams
            case .senseless: .general(.invalidArgument)
            }
        self.init(code, fault.sentence, actionIndex: fault.actionIndex)
    }

    fileprivate static func notAnObject(_ message: JSONValue) -> WireError {
        WireError(
            .invalidRequest,
            message.isArray
                ? "the message is an array; batches are not taken, send each request as a message of its own"
                : "the message is not an object; it must be one JSON-RPC 2.0 request"
        )
    }

    fileprivate static func unknownMethod(_ name: String) -> WireError {
        WireError(.methodNotFound, "there is no method \(bounded(name)); docs/protocol.md lists those there are")
    }
}
