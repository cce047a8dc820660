private let handlesRequirement = #"it must be an array of at most 500 handles, {"type", "value"}"#
private let limitRequirement = "it must be a whole number from 1 to 500"
private let bob = #"{"type":"generic","value":"bob"}"#

private func limit(_ limit: String) -> Fault {
    Fault("people.list", #"{"limit":\#(limit)}"#, 602, "params.limit is \(limit); \(limitRequirement)")
}

/// Requests about people with faulty parameters.
let peopleFaults: [Fault] =
    ["0", "-1", "501", "2147483648", "9223372036854775807", "1e300"].map(limit) + [
        Fault("people.list", #"{"limit":"9"}"#, -32602, #"params.limit is "9"; \#(limitRequirement)"#),
        Fault("people.list", #"{"after":1}"#, -32602, "params.after is 1; it must be a string"),
        Fault("people.list", #"{"search":1}"#, -32602, "params.search is 1; it must be a string of at most 256 bytes"),
        Fault(
            "people.list",
            #"{"search":"\#(String(repeating: "s", count: 257))"}"#,
            602,
            #"params.search is "\#(String(repeating: "s", count: 59))…; it must be a string of at most 256 bytes"#
        ),
        Fault("people.subscribe", "{}", -32602, "params.handles is missing; \(handlesRequirement)"),
        Fault("people.subscribe", #"{"handles":7}"#, -32602, "params.handles is 7; \(handlesRequirement)"),
        Fault(
            "people.subscribe",
            #"{"handles":[\#(Array(repeating: bob, count: 501).joined(separator: ","))]}"#,
            602,
            #"params.handles is [{"type":"generic","value":"bob"},{"type":"generic","value":…; \#(handlesRequirement)"#
        ),
        Fault(
            "people.subscribe",
            #"{"handles":[{"type":"generic","value":""}]}"#,
            602,
            #"params.handles[0].value is ""; it must be a string that is not empty"#
        ),
        Fault(
            "people.subscribe",
            #"{"handles":[{"type":"generic","value":"\#(String(repeating: "h", count: 1_025))"}]}"#,
            602,
            #"params.handles[0].value is "\#(String(repeating: "h", count: 59))…; it must be a string of 1 to 1024 bytes"#
        ),
        Fault("presence.set", "{}", -32602, "params.isAway is missing; it must be true or false"),
        Fault("presence.set", #"{"isAway":1}"#, -32602, "params.isAway is 1; it must be true or false"),
        Fault("settings.set", #"{"isListed":"no"}"#, -32602, #"params.isListed is "no"; it must be true or false"#),
    ]
