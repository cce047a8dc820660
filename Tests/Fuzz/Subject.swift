/// A fuzz target: a part of the hub that accepts bytes from outside, with the invariants that hold for any input.
///
/// The raw values are the names of the folders in `Corpus` and `FailCases`.
enum Subject: String, CaseIterable {
    /// Text messages, in both directions.
    case jsonRPC = "JSONRPC"
    /// Binary messages: RTP, RTCP and their statistics.
    case rtpPacket = "RTPPacket"
    /// Heads of HTTP requests, sent to a running hub.
    case httpHead = "HTTPHead"
    /// WebSocket frames, sent to a running hub.
    case frames = "Frames"

    /// Runs the target on one input; stops the program when an invariant is violated.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .jsonRPC: fuzzJSONRPC(bytes)
        case .rtpPacket: fuzzRTPPacket(bytes)
        case .httpHead: fuzzHTTPHead(bytes)
        case .frames: fuzzFrames(bytes)
        }
    }
}
