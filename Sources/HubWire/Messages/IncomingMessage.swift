import HubEngine

/// The parsed text message of a client; an invalid one has the error to respond with.
public struct IncomingMessage: Sendable {
    /// The `id` for the response; nil: the client expects none (JSON-RPC 2.0, Notification).
    ///
    /// Null if the message is so malformed that its `id` cannot be read (JSON-RPC 2.0, Response object).
    public let id: RequestID?
    /// The method, if there is one by that name, even if the parameters are invalid.
    public let method: ClientMethod?
    /// The request, or the error in the message.
    public let content: Result<ClientRequest, WireError>

    /// Parses one message, a JSON-RPC 2.0 request in UTF-8.
    ///
    /// Errors are found in this order: not JSON, not a request, no such method, parameters missing or of the wrong type
    /// or invalid (in the order in which the method's parameters are documented), an action of an unknown type.
    public init(parsing bytes: [UInt8]) {
        do throws(JSONSyntaxError) {
            self.init(try JSONDocument(bytes).root)
        } catch {
            self.init(id: .null, content: .failure(WireError(error, in: bytes)))
        }
    }

    /// Finds the `id` of a message that is not parsed otherwise, at little cost however long it is.
    ///
    /// - Parameter bytes: The bytes of a text message.
    /// - Returns: The `id`; nil if there is none before the first syntax error.
    public static func id(in bytes: [UInt8]) -> RequestID? {
        var scanner = JSONScanner<StrictJSON>(bytes)
        guard let range = scanner.range(ofMember: "id"), let first = bytes[range].first else { return nil }
        switch first {
        case UInt8(ascii: "\""):
            return .string(JSONString.text(bytes[range].dropFirst().dropLast()))
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
        guard let members = try? JSONMembers(message) else {
            self.init(id: .null, content: .failure(.notAnObject(message)))
            return
        }
        let id = members.value("id")
        guard let known = Self.known(id) else {
            let message = "id is \(quotedExcerpt(id?.text ?? [])); it must be a string, a number or null"
            self.init(id: .null, content: .failure(WireError(.invalidRequest, message)))
            return
        }
        self.init(id: known, members)
    }

    /// The `id`, which may be absent; nil if it has an invalid type.
    private static func known(_ id: JSONValue?) -> RequestID?? {
        guard let id else { return .some(nil) }
        if id.isNull { return .null }
        if let text = id.string { return .string(text) }
        return id.isNumber ? .number(String(decoding: id.text, as: UTF8.self)) : nil
    }

    private init(id: RequestID?, _ members: JSONMembers) {
        do throws(JSONMemberError) {
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

    private static func content(of method: ClientMethod, _ members: JSONMembers) -> Result<ClientRequest, WireError> {
        do throws(JSONMemberError) {
            let params = try members.object("params", "be an object: parameters go by name, not by position")
            return .success(try method.read(params))
        } catch {
            return .failure(WireError(error))
        }
    }
}

extension WireError {
    fileprivate init(_ fault: JSONSyntaxError, in bytes: [UInt8]) {
        switch fault {
        case .unexpected(let position, let expected):
            let place = position < bytes.count ? "at byte \(position)" : "at its end"
            self.init(.parseError, "the message is not JSON (RFC 8259): \(place) there must be \(expected)")
        case .wrong(let position, let sentence):
            self.init(.parseError, "the message is not JSON (RFC 8259): at byte \(position): \(sentence)")
        case .tooDeep:
            let depth = JSONDocument.maximumDepth
            self.init(.parseError, "the message nests too deep; at most \(depth) levels of arrays and objects are read")
        }
    }

    init(_ fault: JSONMemberError) {
        let code: ErrorCode =
            switch fault.kind {
            case .missing, .wrongType: .invalidParams
            case .invalidValue: .general(.invalidArgument)
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
        WireError(.methodNotFound, "there is no method \(quotedExcerpt(name)); docs/protocol.md lists those there are")
    }
}
