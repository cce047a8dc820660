/// The opening handshake (RFC 6455 sections 4.1, 4.2.1 and 4.2.2).
extension HandshakeCase {
    static let all = right + lines + keysAndVersions + subprotocols + extensions

    private static let open = Verdict.opened(subprotocol: nil)

    private static let right: [HandshakeCase] = [
        HandshakeCase("4.2.1", "a right request", demands: open),
        HandshakeCase("4.2.1", "Upgrade: WebSocket", ["Upgrade": "Upgrade: WebSocket"], demands: open),
        HandshakeCase("4.2.1", "Upgrade: WEBSOCKET", ["Upgrade": "Upgrade: WEBSOCKET"], demands: open),
        HandshakeCase("4.2.1", "Connection: upgrade", ["Connection": "Connection: upgrade"], demands: open),
        HandshakeCase("4.2.1", "Connection: UPGRADE", ["Connection": "Connection: UPGRADE"], demands: open),
        HandshakeCase(
            "4.2.1",
            "Connection: keep-alive, Upgrade",
            ["Connection": "Connection: keep-alive, Upgrade"],
            demands: open
        ),
        HandshakeCase(
            "4.2.1",
            "Connection: Upgrade, keep-alive",
            ["Connection": "Connection: Upgrade, keep-alive"],
            demands: open
        ),
        HandshakeCase(
            "4.2.1",
            "field names in lower case",
            ["Upgrade": "upgrade: websocket", "Host": "host: x"],
            demands: open
        ),
        HandshakeCase(
            "4.2.1",
            "field names in upper case",
            ["Upgrade": "UPGRADE: websocket", "Host": "HOST: x"],
            demands: open
        ),
        HandshakeCase("4.2.1", "a value without a space", ["Upgrade": "Upgrade:websocket"], demands: open),
        HandshakeCase("4.2.1", "a value behind spaces", ["Upgrade": "Upgrade:   websocket"], demands: open),
        HandshakeCase(
            "4.2.1",
            "Connection: Upgrade with a space behind it",
            ["Connection": "Connection: Upgrade "],
            demands: open
        ),
        HandshakeCase(
            "4.2.1",
            "two lines of Connection",
            ["Connection": "Connection: keep-alive"],
            adding: ["Connection: Upgrade"],
            demands: open
        ),
        HandshakeCase(
            "4.2.1",
            "Upgrade: websocket with a space behind it",
            ["Upgrade": "Upgrade: websocket "],
            demands: open
        )
        .deviates(.trailingSpace, .refused(403)),
        HandshakeCase("4.2.1", "a version with a space behind it", [version: version + ": 13 "], demands: open)
            .deviates(.trailingSpace, .refused(426)),
        HandshakeCase(
            "4.2.1",
            "a key with a space behind it",
            [key: key + ": dGhlIHNhbXBsZSBub25jZQ== "],
            demands: open
        )
        .deviates(.trailingSpace, .refused(400)),
        HandshakeCase("4.2.1", "Upgrade: h2c, websocket", ["Upgrade": "Upgrade: h2c, websocket"], demands: open)
            .deviates(.upgradeList, .refused(403)),
        HandshakeCase("4.2.1", "Upgrade: websocket, h2c", ["Upgrade": "Upgrade: websocket, h2c"], demands: open)
            .deviates(.upgradeList, .refused(403)),
        HandshakeCase(
            "4.2.1",
            "further fields",
            adding: ["Cookie: a=b; c=d", "User-Agent: test", "X-Whatever: 1"],
            demands: open
        ),
        HandshakeCase("4.2.1", "a query", ["GET": "GET /v1?a=b HTTP/1.1"], demands: open),
        HandshakeCase(
            "4.2.2",
            "the origin of another host",
            adding: ["Origin: https://example.com"],
            demands: .refused(403)
        ),
    ]

    private static let lines: [HandshakeCase] = [
        HandshakeCase("4.2.1", "no Upgrade", ["Upgrade": ""], demands: .refused(426)),
        HandshakeCase("4.2.1", "Upgrade: h2c", ["Upgrade": "Upgrade: h2c"], demands: .refused(400)),
        HandshakeCase("4.2.1", "an empty Upgrade", ["Upgrade": "Upgrade:"], demands: .refused(426)),
        HandshakeCase("4.2.1", "Upgrade: websocketx", ["Upgrade": "Upgrade: websocketx"], demands: .refused(403)),
        HandshakeCase("4.2.1", "no Connection", ["Connection": ""], demands: .refused(400))
            .deviates(.noConnection, .ended),
        HandshakeCase("4.2.1", "Connection: close", ["Connection": "Connection: close"], demands: .refused(400))
            .deviates(.noConnection, .ended),
        HandshakeCase(
            "4.2.1",
            "Connection: keep-alive",
            ["Connection": "Connection: keep-alive"],
            demands: .refused(400)
        )
        .deviates(.noConnection, .ended),
        HandshakeCase("4.2.1", "Connection: up", ["Connection": "Connection: up"], demands: .refused(400))
            .deviates(.shortConnection, open),
        HandshakeCase("4.2.1", "Connection: upgraded", ["Connection": "Connection: upgraded"], demands: .refused(400))
            .deviates(.noConnection, .ended),
        HandshakeCase("4.2.1", "no Host", ["Host": ""], demands: .refused(400)),
        HandshakeCase("4.2.1", "an empty Host", ["Host": "Host:"], demands: .refused(400)),
        HandshakeCase("4.2.1", "POST", ["GET": "POST /v1 HTTP/1.1"], demands: .refused(404)),
        HandshakeCase("4.2.1", "PUT", ["GET": "PUT /v1 HTTP/1.1"], demands: .refused(404)),
        HandshakeCase("4.2.1", "HEAD", ["GET": "HEAD /v1 HTTP/1.1"], demands: .refused(404)),
        HandshakeCase("4.2.1", "HTTP/1.0", ["GET": "GET /v1 HTTP/1.0"], demands: .refused(400))
            .deviates(.httpVersion, open),
        HandshakeCase("4.2.1", "HTTP/0.9", ["GET": "GET /v1 HTTP/0.9"], demands: .refused(400))
            .deviates(.httpVersion, open),
        HandshakeCase("4.2.1", "no HTTP version", ["GET": "GET /v1"], demands: .refused(400))
            .deviates(.httpVersion, open),
        HandshakeCase("4.2.2", "an unknown path", ["GET": "GET /v2 HTTP/1.1"], demands: .refused(404)),
        HandshakeCase("4.1", "a body announced", adding: ["Content-Length: 5"], demands: .refused(400)),
        HandshakeCase(
            "4.1",
            "a chunked body announced",
            adding: ["Transfer-Encoding: chunked"],
            demands: .refused(400)
        ),
    ]

    private static let key = "Sec-WebSocket-Key"
    private static let version = "Sec-WebSocket-Version"

    private static let keysAndVersions: [HandshakeCase] = [
        HandshakeCase("4.2.1", "no key", [key: ""], demands: .refused(400)),
        HandshakeCase("4.2.1", "an empty key", [key: key + ":"], demands: .refused(400)),
        HandshakeCase("4.2.1", "a key of 15 bytes", [key: key + ": MTIzNDU2Nzg5MDEyMzQ1"], demands: .refused(400)),
        HandshakeCase(
            "4.2.1",
            "a key of 20 bytes",
            [key: key + ": MTIzNDU2Nzg5MDEyMzQ1Njc4OTA="],
            demands: .refused(400)
        ),
        HandshakeCase("4.2.1", "two keys", adding: [key + ": MTIzNDU2Nzg5MDEyMzQ1Ng=="], demands: .refused(400)),
        HandshakeCase("4.2.2", "no version", [version: ""], demands: .refused(426)),
        HandshakeCase("4.2.2", "an empty version", [version: version + ":"], demands: .refused(426)),
        HandshakeCase("4.2.2", "version 8", [version: version + ": 8"], demands: .refused(426)),
        HandshakeCase("4.2.2", "version 12", [version: version + ": 12"], demands: .refused(426)),
        HandshakeCase("4.2.2", "version 14", [version: version + ": 14"], demands: .refused(426)),
        HandshakeCase("4.2.2", "version 013", [version: version + ": 013"], demands: .refused(426)),
        HandshakeCase("4.2.2", "version 13x", [version: version + ": 13x"], demands: .refused(426)),
        HandshakeCase("4.2.2", "two versions", adding: [version + ": 8"], demands: .refused(426)),
    ]

    private static let offer = "Sec-WebSocket-Protocol: "

    private static let subprotocols: [HandshakeCase] = [
        HandshakeCase(
            "4.2.2",
            "the hub's subprotocol",
            adding: [offer + "callhub.v1"],
            demands: .opened(subprotocol: "callhub.v1")
        ),
        HandshakeCase(
            "4.2.2",
            "the hub's as the second",
            adding: [offer + "chat, callhub.v1"],
            demands: .opened(subprotocol: "callhub.v1")
        ),
        HandshakeCase(
            "4.2.2",
            "the hub's in a second line",
            adding: [offer + "chat", offer + "callhub.v1"],
            demands: .opened(subprotocol: "callhub.v1")
        ),
        HandshakeCase("4.2.2", "another subprotocol", adding: [offer + "chat"], demands: .refused(400)),
        HandshakeCase("4.2.2", "the subprotocol in upper case", adding: [offer + "CALLHUB.V1"], demands: .refused(400)),
        HandshakeCase("4.2.2", "the beginning of the subprotocol", adding: [offer + "callhub"], demands: .refused(400)),
    ]

    private static let extending = "Sec-WebSocket-Extensions: "

    private static let extensions: [HandshakeCase] = [
        HandshakeCase("9.1", "permessage-deflate", adding: [extending + "permessage-deflate"], demands: open),
        HandshakeCase(
            "9.1",
            "permessage-deflate with parameters",
            adding: [extending + "permessage-deflate; client_max_window_bits=15; server_no_context_takeover"],
            demands: open
        ),
        HandshakeCase("9.1", "an unknown extension", adding: [extending + "x-unknown; a=\"b\""], demands: open),
        HandshakeCase(
            "9.1",
            "two extensions",
            adding: [extending + "x-webkit-deflate-frame, permessage-deflate"],
            demands: open
        ),
        HandshakeCase("9.1", "two lines of extensions", adding: [extending + "a", extending + "b"], demands: open),
        HandshakeCase("9.1", "an empty line of extensions", adding: [extending], demands: open),
    ]
}
