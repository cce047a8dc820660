import HubServer

/// Checks that the hub survives any heads of requests, and answers with nothing but its own ASCII.
func fuzzHTTPHead(_ bytes: [UInt8]) {
    for server in [HubPeer.plain, HubPeer.proxied] {
        let answer = HubPeer.answer(to: bytes, of: server)
        // Behind a handshake that was taken there are frames.
        let head = answer.firstRange(of: Array("HTTP/1.1 101".utf8))?.lowerBound == 0 ? answer.prefix(12) : answer[...]
        precondition(head.allSatisfy { $0 < 0x80 }, "the answer has a byte that the hub has not written")
        precondition(answer.isEmpty || head.starts(with: "HTTP/1.".utf8), "the answer is no HTTP")
    }
}
