import HubEngine
import HubWire

/// What a woken device reads (docs/protocol.md, Being woken).
enum PushText {
    /// A call waits.
    static func call(_ wakeUp: WakeUp) -> [UInt8] {
        message("call", wakeUp.callUUID) { json in
            json.object("handle") { handle in
                handle.member("type", word: "\(wakeUp.caller.type)")
                handle.member("value", wakeUp.caller.value)
            }
            let name = wakeUp.callerName.unicodeScalars.prefix(longestName)
            json.member("name", String(String.UnicodeScalarView(name)))
            json.member("expiresAt", wakeUp.expiresAt)
        }
    }

    /// It rings no more.
    static func over(_ call: CallUUID, isMissed: Bool) -> [UInt8] {
        message("over", call) { $0.member("missed", isMissed) }
    }

    private static func message(_ type: String, _ call: CallUUID, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.write(into: &bytes) { writer in
            writer.object { json in
                json.member("type", word: type)
                json.member("callUUID", call)
                body(&json)
            }
        }
        return bytes
    }

    /// The same for both messages of a call: a device that was out of reach gets the last one alone.
    static func topic(_ call: CallUUID) -> String {
        let bytes = [call.high, call.low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
        }
        return Base64URL.text(of: bytes)
    }

    /// More: longer names are shown whole; with a long handle the message may be more than push services take.
    private static let longestName = 120

    /// So long each message is made to look, so that its length tells nothing of who calls.
    static let paddedBytes = 1_024
}
