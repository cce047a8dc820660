private let point = "B" + String(repeating: "A", count: 86)
private let secret = String(repeating: "A", count: 22)
private let keys = #"{"p256dh":"\#(point)","auth":"\#(secret)"}"#

private let endpointRequirement = "be an https URL of at most 1024 bytes"

private func subscription(_ endpoint: String) -> String { #"{"endpoint":"\#(endpoint)","keys":\#(keys)}"# }

/// Requests to the server itself with faulty parameters: tokens, push subscriptions, administration.
let serverFaults: [Fault] =
    [
        "http://push.example/1", "https://", "https:///1", "https://:443/1", "https://user@push.example/1",
        "https://push.example/a b", "https://pusch.exämple/", "HTTPS://push.example/1", "",
    ].map {
        Fault("push.subscribe", subscription($0), 602, #"params.endpoint is "\#($0)"; it must \#(endpointRequirement)"#)
    } + [
        Fault("session.refresh", "{}", -32602, "params.token is missing; it must be a string that is not empty"),
        Fault(
            "session.refresh",
            #"{"token":""}"#,
            -32602,
            #"params.token is ""; it must be a string that is not empty"#
        ),
        Fault(
            "push.subscribe",
            subscription("https://push.example/" + String(repeating: "x", count: 1_004)),
            602,
            #"params.endpoint is "https://push.example/\#(String(repeating: "x", count: 38))…; it must "#
                + endpointRequirement
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1"}"#,
            -32602,
            #"params.keys is missing; it must be {"p256dh", "auth"}"#
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"\#(secret)","auth":"\#(secret)"}}"#,
            602,
            #"params.keys.p256dh is "\#(secret)"; it must be 65 bytes in base64url, an uncompressed point of P-256"#
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"A\#(point.dropFirst())","auth":"\#(secret)"}}"#,
            602,
            #"params.keys.p256dh is "A\#(String(repeating: "A", count: 58))…; it must be 65 bytes in base64url, "#
                + "an uncompressed point of P-256"
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"\#(point)","auth":"AAAA/AAAAAAAAAAAAAAAAA"}}"#,
            602,
            #"params.keys.auth is "AAAA/AAAAAAAAAAAAAAAAA"; it must be 16 bytes in base64url"#
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1","keys":\#(keys),"expirationTime":-1}"#,
            602,
            "params.expirationTime is -1; it must be a time in milliseconds since 1970, or null"
        ),
        Fault(
            "push.subscribe",
            #"{"endpoint":"https://push.example/1","keys":\#(keys),"expirationTime":1e300}"#,
            602,
            "params.expirationTime is 1e300; it must be a time in milliseconds since 1970, or null"
        ),
        Fault("push.unsubscribe", #"{"endpoint":7}"#, -32602, "params.endpoint is 7; it must \(endpointRequirement)"),
        Fault(
            "admin.endCall",
            "{}",
            -32602,
            #"params.conversation is missing; it must be a call as admin.calls names it, like "3.0""#
        ),
        Fault(
            "admin.endCall",
            #"{"conversation":"3"}"#,
            602,
            #"params.conversation is "3"; it must be a call as admin.calls names it, like "3.0""#
        ),
        Fault(
            "admin.devices",
            #"{"limit":501}"#,
            602,
            "params.limit is 501; it must be a whole number from 1 to 500"
        ),
        Fault("admin.calls", #"{"after":1}"#, -32602, "params.after is 1; it must be a string"),
        Fault("admin.signOut", "{}", -32602, "params.session is missing; it must be a string"),
        Fault(
            "admin.drain",
            #"{"graceSeconds":-1}"#,
            602,
            "params.graceSeconds is -1; it must be a whole number of seconds from 0 to 86400"
        ),
        Fault(
            "admin.drain",
            #"{"graceSeconds":"soon"}"#,
            -32602,
            #"params.graceSeconds is "soon"; it must be a whole number of seconds from 0 to 86400"#
        ),
    ]
