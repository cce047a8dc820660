import HubEngine
import HubWire

/// The JSON of a push message (docs/protocol.md, Push notifications).
enum PushPayload {
    /// The message of a ringing call.
    static func call(_ pushRequest: PushRequest) -> [UInt8] {
        message("call", pushRequest.callUUID) { json in
            json.object("handle") { handle in
                handle.member("type", keyword: "\(pushRequest.caller.type)")
                handle.member("value", pushRequest.caller.value)
            }
            let name = pushRequest.callerName.unicodeScalars.prefix(longestName)
            json.member("name", String(String.UnicodeScalarView(name)))
            json.member("expiresAt", pushRequest.expiresAt)
        }
    }

    /// The message of a call that no longer rings.
    static func over(_ call: CallUUID, isMissed: Bool) -> [UInt8] {
        message("over", call) { $0.member("missed", isMissed) }
    }

    private static func message(_ type: String, _ call: CallUUID, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.write(into: &bytes) { writer in
            writer.object { json in
                json.member("type", keyword: type)
                json.member("callUUID", call)
                body(&json)
            }
        }
        return bytes
    }

    /// The Topic of a call's messages (RFC 8030): the end replaces a message of the call that is not delivered yet.
    static func topic(_ call: CallUUID) -> String {
        let bytes = [call.high, call.low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
        }
        return Base64URL.text(of: bytes)
    }

    /// More: longer names are shown whole; with a long handle the message may exceed the limit of push services.
    private static let longestName = 120

    /// The length that messages are padded to, in bytes, so that it reveals nothing of the caller.
    static let paddedBytes = 1_024
}
