package import BenchmarkSupport
import FoundationEssentials

/// What the generator asks of the hub, as JSON-RPC text (`docs/protocol.md`).
package enum Request {
    /// Signs in.
    ///
    /// - Parameters:
    ///   - account: The name.
    ///   - device: The device's own name for itself.
    ///   - credentials: What the hub asks for besides the name.
    /// - Returns: The request.
    package static func open(
        account: String,
        device: String = "bench",
        _ credentials: Credentials = .none
    ) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"account":"\#(account)",\#(credentials.members)"#
            + #""device":{"id":"\#(device)"},"client":{"name":"callhub-bench","version":"1"}}}"#
    }

    /// How a client shows who it is, in words that need no escape in JSON.
    package enum Credentials {
        /// The name will do.
        case none
        /// The account's password.
        case password(String)
        /// A signed token.
        case token(String)

        fileprivate var members: String {
            switch self {
            case .none: ""
            case .password(let password): #""password":"\#(password)","#
            case .token(let token): #""token":"\#(token)","#
            }
        }
    }

    /// Calls an account.
    package static func start(call: String, to account: String) -> String {
        transaction(id: 2, #""type":"start","callUUID":"\#(call)","handle":{"type":"generic","value":"\#(account)"}"#)
    }

    /// Answers a ringing call.
    package static func answer(call: String) -> String {
        transaction(id: 3, #""type":"answer","callUUID":"\#(call)""#)
    }

    /// Hangs up.
    package static func end(call: String) -> String {
        transaction(id: 4, #""type":"end","callUUID":"\#(call)""#)
    }

    /// Leaves.
    package static let close = #"{"jsonrpc":"2.0","id":5,"method":"session.close"}"#

    private static func transaction(id: Int, _ action: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"transaction.request","params":{"actions":[{\#(action)}]}}"#
    }
}

/// What the generator reads of a text message of the hub; all else in it is left alone.
package struct HubMessage: Decodable {
    /// A refusal.
    package struct Failure: Decodable {
        package var code: Int
        package var message: String
    }

    /// The members of notifications that tell how far a call is.
    package struct Parameters: Decodable {
        package var call: Call?
        package var audioSession: AudioSession?
        package var reason: String?
    }

    /// A call's snapshot.
    package struct Call: Decodable {
        package var uuid: String
        package var state: String
        package var hasEnded: Bool
        package var cause: String?
    }

    /// An audio session; `ssrc` is there when it begins.
    package struct AudioSession: Decodable {
        package var ssrc: UInt32?
    }

    package var id: Int?
    package var method: String?
    package var params: Parameters?
    package var error: Failure?

    /// Reads a text message.
    package static func read(_ bytes: UnsafeRawBufferPointer) throws(BenchmarkError) -> HubMessage {
        do {
            return try JSONDecoder().decode(HubMessage.self, from: Data(bytes))
        } catch {
            throw BenchmarkError("a message of the hub cannot be read: \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
