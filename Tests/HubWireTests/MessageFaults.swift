import HubWire

/// Messages that are not JSON.
let notJSON: [Fault] = [
    Fault("", -32700, "the message is not JSON (RFC 8259): at its end there must be a value"),
    Fault("nonsense", -32700, "the message is not JSON (RFC 8259): at byte 1 there must be null"),
    Fault(#"{"a":1"#, -32700, "the message is not JSON (RFC 8259): at its end there must be a comma or }"),
    Fault(
        #"{"a":1,}"#,
        -32700,
        "the message is not JSON (RFC 8259): at byte 7 there must be a member's name in double quotes"
    ),
    Fault(
        #"{'a':1}"#,
        -32700,
        "the message is not JSON (RFC 8259): at byte 1 there must be a member's name in double quotes"
    ),
    Fault(#"{"a":01}"#, -32700, "the message is not JSON (RFC 8259): at byte 6 there must be a comma or }"),
    Fault(#"{"a":1.}"#, -32700, "the message is not JSON (RFC 8259): at byte 7 there must be a digit"),
    Fault(#"{"a":+1}"#, -32700, "the message is not JSON (RFC 8259): at byte 5 there must be a value"),
    Fault(#"{"a":NaN}"#, -32700, "the message is not JSON (RFC 8259): at byte 5 there must be a value"),
    Fault(#"{"a" 1}"#, -32700, "the message is not JSON (RFC 8259): at byte 5 there must be a colon"),
    Fault(
        #"{"a":"\x"}"#,
        -32700,
        "the message is not JSON (RFC 8259): at byte 7 there must be a valid JSON escape"
    ),
    Fault(
        #"{"a":"\ud800"}"#,
        -32700,
        "the message is not JSON (RFC 8259): at byte 7 there must be a pair of surrogates"
    ),
    Fault(
        #"{"a":"\u12g4"}"#,
        -32700,
        "the message is not JSON (RFC 8259): at byte 10 there must be four hexadecimal digits"
    ),
    Fault(
        "{\"a\":\"\n\"}",
        -32700,
        "the message is not JSON (RFC 8259): at byte 6 there must be control characters escaped"
    ),
    Fault("{} {}", -32700, "the message is not JSON (RFC 8259): at byte 3 there must be the end"),
    Fault("\u{FEFF}{}", -32700, "the message is not JSON (RFC 8259): at byte 0 there must be a value"),
    Fault(
        String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
        -32700,
        "the message nests too deep; at most 32 levels of arrays and objects are read"
    ),
]

/// JSON that is no request of JSON-RPC.
let notARequest: [Fault] = [
    Fault("7", -32600, "the message is not an object; it must be one JSON-RPC 2.0 request"),
    Fault(" \"x\" ", -32600, "the message is not an object; it must be one JSON-RPC 2.0 request"),
    Fault("[]", -32600, "the message is an array; batches are not taken, send each request as a message of its own"),
    Fault(
        #"[{"jsonrpc":"2.0","id":1,"method":"observer.calls"}]"#,
        -32600,
        "the message is an array; batches are not taken, send each request as a message of its own"
    ),
    Fault("{}", -32600, #"jsonrpc is missing; it must be "2.0""#),
    Fault(#"{"id":1,"method":"session.ping"}"#, id: RequestID(1), -32600, #"jsonrpc is missing; it must be "2.0""#),
    Fault(
        #"{"jsonrpc":"1.0","id":"a","method":"session.ping"}"#,
        id: .string("a"),
        -32600,
        #"jsonrpc is "1.0"; it must be "2.0""#
    ),
    Fault(
        #"{"jsonrpc":2.0,"id":1,"method":"session.ping"}"#,
        id: RequestID(1),
        -32600,
        #"jsonrpc is 2.0; it must be "2.0""#
    ),
    Fault(
        #"{"jsonrpc":"2.0","id":1}"#,
        id: RequestID(1),
        -32600,
        "method is missing; it must be a string, the name of a method"
    ),
    Fault(#"{"jsonrpc":"2.0"}"#, id: .null, -32600, "method is missing; it must be a string, the name of a method"),
    Fault(
        #"{"jsonrpc":"2.0","id":1,"method":7}"#,
        id: RequestID(1),
        -32600,
        "method is 7; it must be a string, the name of a method"
    ),
    Fault(
        #"{"jsonrpc":"2.0","id":{"a":1},"method":"session.ping"}"#,
        -32600,
        #"id is {"a":1}; it must be a string, a number or null"#
    ),
    Fault(#"{"jsonrpc":"2.0","id":true,"method":"x"}"#, -32600, "id is true; it must be a string, a number or null"),
    Fault(
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        id: RequestID(1),
        -32600,
        "method is missing; it must be a string, the name of a method"
    ),
]

/// Requests of methods that there are not.
let unknownMethods: [Fault] = [
    Fault("call.start", "{}", -32601, #"there is no method "call.start"; docs/protocol.md lists those there are"#),
    Fault("recents.get", "{}", -32601, #"there is no method "recents.get"; docs/protocol.md lists those there are"#),
    Fault("Session.Open", "{}", -32601, #"there is no method "Session.Open"; docs/protocol.md lists those there are"#),
    Fault(
        String(repeating: "m", count: 500),
        "7",
        -32601,
        "there is no method \"\(String(repeating: "m", count: 59))…; docs/protocol.md lists those there are"
    ),
]
