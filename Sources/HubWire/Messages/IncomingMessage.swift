import FoundationEssentials
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
        var scanner = JSONScanner(bytes)
        do throws(JSONScanner.Fault) {
            try scanner.checkDocument()
        } catch {
            self.init(id: .null, content: .failure(WireError(error, in: bytes)))
            return
        }
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else {
            self.init(id: .null, content: .failure(.notAnObject(bytes)))
            return
        }
        do {
            let envelope = try Self.decoder.decode(Envelope.self, from: Data(bytes))
            self.init(envelope, bytes)
        } catch {
            let message = "the hub cannot read this message, though it is JSON; send it as one JSON-RPC 2.0 request"
            self.init(id: .null, content: .failure(WireError(.invalidRequest, message)))
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
            return (try? decoder.decode(String.self, from: Data(bytes[range]))).map(RequestID.string)
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

    private init(_ envelope: Envelope, _ bytes: [UInt8]) {
        let id: RequestID?
        switch envelope.id {
        case .absent: id = nil
        case .null: id = .null
        case .string(let text): id = .string(text)
        case .other:
            var scanner = JSONScanner(bytes)
            let text = scanner.range(ofMember: "id").map { bytes[$0] } ?? []
            guard let first = text.first, first == UInt8(ascii: "-") || first.isDigit else {
                let message = "id is \(bounded(text)); it must be a string, a number or null"
                self.init(id: .null, content: .failure(WireError(.invalidRequest, message)))
                return
            }
            id = .number(String(decoding: text, as: UTF8.self))
        }
        switch envelope.content {
        case .invalid(let fault):
            let message = fault.sentence(about: bytes)
            self.init(id: id ?? .null, content: .failure(WireError(.invalidRequest, message)))
        case .unknownMethod(let name):
            self.init(id: id, content: .failure(.unknownMethod(name)))
        case .params(let method, let read):
            self.init(id: id, method: method, content: read.content(bytes))
        }
    }

    // One for all: it has no settings that could change.
    private static let decoder = JSONDecoder()
}

/// The members of a request, and its parameters, in one pass.
private struct Envelope: Decodable {
    enum ID {
        case absent, null
        case string(String)
        /// A number, or what an id must not be: the message's text tells.
        case other
    }

    enum Content {
        case invalid(MemberFault)
        case unknownMethod(String)
        case params(ClientMethod, Result<ClientRequest, MemberFault>)
    }

    let id: ID
    let content: Content

    init(from decoder: any Decoder) throws {
        let members = try Members(decoder)
        if !members.contains("id") {
            id = .absent
        } else if members.isNull("id") {
            id = .null
        } else {
            id = (try? members.text("id")).map(ID.string) ?? .other
        }
        content = Self.content(of: members)
    }

    private static func content(of members: Members) -> Content {
        do throws(MemberFault) {
            _ = try members.required("jsonrpc", "be \"2.0\"", orElse: .wrongType) { $0 == "2.0" ? $0 : nil }
            let name = try members.required("method", as: String.self, "be a string, the name of a method")
            guard let method = ClientMethod(rawValue: name) else { return .unknownMethod(name) }
            return .params(method, read(method, members))
        } catch {
            return .invalid(error)
        }
    }

    private static func read(_ method: ClientMethod, _ members: Members) -> Result<ClientRequest, MemberFault> {
        do throws(MemberFault) {
            let params = try members.object("params", "be an object: parameters go by name, not by position")
            return .success(try method.read(params))
        } catch {
            return .failure(error)
        }
    }
}

extension Result where Success == ClientRequest, Failure == MemberFault {
    /// What is asked; or the error, in the words of the message's text.
    fileprivate func content(_ bytes: [UInt8]) -> Result<ClientRequest, WireError> {
        switch self {
        case .success(.ping):
            var scanner = JSONScanner(bytes)
            let t = scanner.range(at: [MemberName("params"), MemberName("t")])
            return .success(.ping(t.map { JSONText(checked: bytes[$0]) }))
        case .success(let request):
            return .success(request)
        case .failure(let fault):
            return .failure(WireError(fault, in: bytes))
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

    init(_ fault: MemberFault, in bytes: [UInt8]) {
        let code: ErrorCode =
            switch fault.kind {
            case .missing, .wrongType: .invalidParams
            case .senseless: .general(.invalidArgument)
            }
        self.init(code, fault.sentence(about: bytes), actionIndex: fault.actionIndex)
    }

    fileprivate static func notAnObject(_ bytes: [UInt8]) -> WireError {
        let isArray = bytes.first { !isSpace($0) } == UInt8(ascii: "[")
        return WireError(
            .invalidRequest,
            isArray
                ? "the message is an array; batches are not taken, send each request as a message of its own"
                : "the message is not an object; it must be one JSON-RPC 2.0 request"
        )
    }

    fileprivate static func unknownMethod(_ name: String) -> WireError {
        WireError(.methodNotFound, "there is no method \(bounded(name)); docs/protocol.md lists those there are")
    }
}

private func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
