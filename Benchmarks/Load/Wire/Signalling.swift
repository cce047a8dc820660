import BenchmarkSupport
import FoundationEssentials

/// What the generator asks of the hub, as JSON-RPC text (`docs/protocol.md`).
enum Request {
    /// Signs in.
    static func open(account: String, device: String = "bench") -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"account":"\#(account)","#
            + #""device":{"id":"\#(device)"},"client":{"name":"callhub-bench","version":"1"}}}"#
    }

    /// Calls an account.
    static func start(call: String, to account: String) -> String {
        transaction(id: 2, #""type":"start","callUUID":"\#(call)","handle":{"type":"generic","value":"\#(account)"}"#)
    }

    /// Answers a ringing call.
    static func answer(call: String) -> String {
        transaction(id: 3, #""type":"answer","callUUID":"\#(call)""#)
    }

    /// Hangs up.
    static func end(call: String) -> String {
        transaction(id: 4, #""type":"end","callUUID":"\#(call)""#)
    }

    private static func transaction(id: Int, _ action: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"transaction.request","params":{"actions":[{\#(action)}]}}"#
    }
}

/// What the generator reads of a text message of the hub; all else in it is left alone.
struct HubMessage: Decodable {
    /// A refusal.
    struct Failure: Decodable {
        var code: Int
        var message: String
    }

    /// The members of notifications that tell how far a call is.
    struct Parameters: Decodable {
        var call: Call?
        var audioSession: AudioSession?
        var reason: String?
    }

    /// A call's snapshot.
    struct Call: Decodable {
        var uuid: String
        var state: String
        var hasEnded: Bool
        var cause: String?
    }

    /// An audio session; `ssrc` is there when it begins.
    struct AudioSession: Decodable {
        var ssrc: UInt32?
    }

    var id: Int?
    var method: String?
    var params: Parameters?
    var error: Failure?

    /// Reads a text message.
    static func read(_ bytes: UnsafeRawBufferPointer) throws(BenchmarkError) -> HubMessage {
        do {
            return try JSONDecoder().decode(HubMessage.self, from: Data(bytes))
        } catch {
            throw BenchmarkError("a message of the hub cannot be read: \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
