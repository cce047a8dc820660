/// A text message of the hub, encoded by the server and parsed by a client.
public enum HubMessage: Hashable, Sendable {
    /// The response to a request.
    case reply(RequestID, Result<ReplyPayload, WireError>)
    /// A notification; `seq` counts a session's notifications from 1, without gaps.
    case notification(seq: UInt64, WireNotification)

    /// Appends the message's JSON to `bytes`.
    public func encode(into bytes: inout [UInt8]) {
        switch self {
        case .reply(let id, let outcome): Self.encode(replyTo: id, outcome, into: &bytes)
        case .notification(let seq, let notification): notification.encode(seq: seq, into: &bytes)
        }
    }

    /// Appends a reply's JSON to `bytes`.
    public static func encode(
        replyTo id: RequestID,
        _ outcome: Result<ReplyPayload, WireError>,
        into bytes: inout [UInt8]
    ) {
        JSONWriter.write(into: &bytes) { writer in
            writer.object { message in
                message.member("jsonrpc", "2.0")
                message.key("id")
                id.write(to: &message)
                switch outcome {
                case .success(let payload):
                    message.key("result")
                    payload.write(to: &message)
                case .failure(let error):
                    message.key("error")
                    error.write(to: &message)
                }
            }
        }
    }
}
