/// What is fuzzed: something that takes bytes from outside, and what must hold whatever they are.
///
/// The names are those of the folders in `Corpus` and `FailCases`.
enum Subject: String, CaseIterable {
    /// Text messages, in both directions.
    case jsonRPC = "JSONRPC"
    /// Binary messages: RTP, RTCP and what is counted of them.
    case rtpPacket = "RTPPacket"
    /// Heads of HTTP requests, sent to a running hub.
    case httpHead = "HTTPHead"
    /// WebSocket frames, sent to a running hub.
    case frames = "Frames"

    /// Runs the subject on one input; stops the program where something does not hold.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .jsonRPC: fuzzJSONRPC(bytes)
        case .rtpPacket: fuzzRTPPacket(bytes)
        case .httpHead: fuzzHTTPHead(bytes)
        case .frames: fuzzFrames(bytes)
        }
    }
}
