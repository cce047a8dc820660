package import BenchmarkSupport
import FoundationEssentials

/// The generator's requests to the hub, as JSON-RPC text (`docs/protocol.md`).
package enum Request {
    /// Returns the request that signs in.
    ///
    /// - Parameters:
    ///   - account: The account's name.
    ///   - device: The device's ID, unique within the account.
    ///   - credentials: The password or token, where the hub asks for one.
    /// - Returns: The text of a `session.open` request with the ID 1.
    package static func open(
        account: String,
        device: String = "bench",
        _ credentials: Credentials = .none
    ) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"account":"\#(account)",\#(credentials.members)"#
            + #""device":{"id":"\#(device)"},"client":{"name":"callhub-bench","version":"1"}}}"#
    }

    /// A client's proof of its identity, in characters that need no escape in JSON.
    package enum Credentials {
        /// The account's name alone.
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

    /// Returns the request that calls an account, with the ID 2.
    package static func start(call: String, to account: String) -> String {
        transaction(id: 2, #""type":"start","callUUID":"\#(call)","handle":{"type":"generic","value":"\#(account)"}"#)
    }

    /// Returns the request that answers a ringing call, with the ID 3.
    package static func answer(call: String) -> String {
        transaction(id: 3, #""type":"answer","callUUID":"\#(call)""#)
    }

    /// Returns the request that ends a call, with the ID 4.
    package static func end(call: String) -> String {
        transaction(id: 4, #""type":"end","callUUID":"\#(call)""#)
    }

    /// The request that closes the session, with the ID 5.
    package static let close = #"{"jsonrpc":"2.0","id":5,"method":"session.close"}"#

    private static func transaction(id: Int, _ action: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"transaction.request","params":{"actions":[{\#(action)}]}}"#
    }
}

/// The members of a text message of the hub that the generator reads; all others are ignored.
package struct HubMessage: Decodable {
    /// The error of a refused request.
    package struct Failure: Decodable {
        package var code: Int
        package var message: String
    }

    /// The members of notifications about a call's state and audio.
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

    /// An audio session; it has an `ssrc` when it begins.
    package struct AudioSession: Decodable {
        package var ssrc: UInt32?
    }

    package var id: Int?
    package var method: String?
    package var params: Parameters?
    package var error: Failure?

    /// Decodes a text message.
    package static func read(_ bytes: UnsafeRawBufferPointer) throws(BenchmarkError) -> HubMessage {
        do {
            return try JSONDecoder().decode(HubMessage.self, from: Data(bytes))
        } catch {
            throw BenchmarkError("a message of the hub cannot be read: \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
