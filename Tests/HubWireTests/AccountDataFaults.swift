private let shownName = "it must be a string of at most 256 bytes without control or invisible characters"

/// Account data requests with faulty parameters.
let accountDataFaults: [Fault] = [
    Fault("settings.set", #"{"doNotDisturb":1}"#, -32602, "params.doNotDisturb is 1; it must be true or false"),
    Fault(
        "settings.set",
        #"{"displayName":"\#(String(repeating: "n", count: 257))"}"#,
        602,
        #"params.displayName is "\#(String(repeating: "n", count: 59))…; it must be a string of at most 256 bytes without control or invisible characters"#
    ),
    // Direction marks, invisible characters and line ends.
    Fault(
        "settings.set",
        #"{"displayName":"gp\u202e1"}"#,
        602,
        #"params.displayName is "gp\u202e1"; \#(shownName)"#
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"a\u200bb","handles":[]}"#,
        602,
        #"params.name is "a\u200bb"; \#(shownName)"#
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"a\u2028b","handles":[]}"#,
        602,
        #"params.name is "a\u2028b"; \#(shownName)"#
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"a\u0000b","handles":[]}"#,
        602,
        #"params.name is "a\u0000b"; \#(shownName)"#
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1\u3164","name":"","handles":[]}"#,
        602,
        #"params.identifier is "1\u3164"; "#
            + "it must be a string of 1 to 256 bytes without control or invisible characters"
    ),
    Fault(
        "settings.set",
        #"{"device":{"doNotDisturb":"yes"}}"#,
        -32602,
        #"params.device.doNotDisturb is "yes"; it must be true or false"#
    ),
    Fault("settings.set", #"{"device":true}"#, -32602, "params.device is true; it must be an object"),
    Fault(
        "settings.set",
        #"{"timeZone":"../../etc/passwd"}"#,
        602,
        #"params.timeZone is "../../etc/passwd"; it must be the name of a time zone, like "Europe/Berlin", or empty"#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":{}}"#,
        -32602,
        #"params.quietHours is {}; it must be an array of at most 32 {"days", "from", "to"}"#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[\#(Array(repeating: #"{"days":["monday"],"from":"00:00","to":"00:00"}"#, count: 33).joined(separator: ","))]}"#,
        602,
        #"params.quietHours is [{"days":["monday"],"from":"00:00","to":"00:00"},{"days":["m…; it must be an array of at most "#
            + #"32 {"days", "from", "to"}"#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[{"days":[],"from":"22:00","to":"07:00"}]}"#,
        602,
        #"params.quietHours[0].days is []; it must be an array of days of the week, "monday" to "sunday""#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[{"days":["monday","mon"],"from":"22:00","to":"07:00"}]}"#,
        602,
        #"params.quietHours[0].days[1] is "mon"; it must be "monday", "tuesday", "wednesday", "thursday", "friday", "#
            + #""saturday" or "sunday""#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[{"days":["monday"],"from":"22:00"}]}"#,
        -32602,
        #"params.quietHours[0].to is missing; it must be a time of day from 00:00 to 23:59, like "22:00""#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[{"days":["monday"],"from":"24:00","to":"07:00"}]}"#,
        602,
        #"params.quietHours[0].from is "24:00"; it must be a time of day from 00:00 to 23:59, like "22:00""#
    ),
    Fault(
        "settings.set",
        #"{"quietHours":[{"days":["monday"],"from":"7:00","to":"07:60"}]}"#,
        602,
        #"params.quietHours[0].from is "7:00"; it must be a time of day from 00:00 to 23:59, like "22:00""#
    ),
    Fault(
        "block.add",
        "{}",
        -32602,
        #"params.handle is missing; it must be a handle, {"type", "value"}, where there is no prefix"#
    ),
    Fault(
        "block.remove",
        #"{"prefix":null}"#,
        -32602,
        #"params.handle is missing; it must be a handle, {"type", "value"}, where there is no prefix"#
    ),
    Fault(
        "block.add",
        #"{"handle":{"type":"generic","value":"x"},"prefix":"49"}"#,
        602,
        #"params.prefix is "49"; it must be left out where there is a handle"#
    ),
    Fault("block.add", #"{"prefix":"+49x"}"#, 602, prefixSentence("+49x")),
    Fault("block.add", #"{"prefix":"030"}"#, 602, prefixSentence("030")),
    Fault("block.add", #"{"prefix":"+"}"#, 602, prefixSentence("+")),
    Fault("block.remove", #"{"prefix":"++49"}"#, 602, prefixSentence("++49")),
    Fault("block.add", #"{"prefix":"1234567890123456789"}"#, 602, prefixSentence("1234567890123456789")),
    Fault(
        "block.add",
        #"{"prefix":49}"#,
        -32602,
        "params.prefix is 49; it must \(prefixRequirement)"
    ),
    Fault(
        "block.add",
        #"{"handle":{"type":"generic","value":"\#(String(repeating: "h", count: 1_025))"}}"#,
        602,
        #"params.handle.value is "\#(String(repeating: "h", count: 59))…; it must be a string of 1 to 1024 bytes"#
    ),
    Fault(
        "contacts.put",
        #"{"name":"Bob","handles":[]}"#,
        -32602,
        "params.identifier is missing; it must be a string of 1 to 256 bytes without control or invisible characters"
    ),
    Fault(
        "contacts.put",
        #"{"identifier":"1","name":"Bob","handles":[{"type":"fax","value":"1"}]}"#,
        602,
        #"params.handles[0].type is "fax"; it must be "generic", "phoneNumber" or "emailAddress""#
    ),
    Fault("recents.list", #"{"limit":0}"#, 602, "params.limit is 0; it must be a whole number from 1 to 1000"),
    Fault("recents.list", #"{"limit":"9"}"#, -32602, #"params.limit is "9"; it must be a whole number from 1 to 1000"#),
    Fault("recents.list", #"{"before":"x"}"#, 602, #"params.before is "x"; it must be a UUID"#),
    Fault("recents.remove", #"{"ids":["x"]}"#, 602, #"params.ids is ["x"]; it must be an array of UUIDs"#),
    Fault("recents.markSeen", #"{"ids":7}"#, -32602, "params.ids is 7; it must be an array of UUIDs"),
    Fault(
        "directory.load",
        #"{"extension":"e","blocking":[],"identification":[]}"#,
        -32602,
        "params.incremental is missing; it must be true or false"
    ),
    Fault(
        "directory.load",
        #"{"extension":"e","incremental":false,"blocking":["1"],"identification":[]}"#,
        -32602,
        #"params.blocking is ["1"]; it must be an array of telephone numbers as whole numbers"#
    ),
    Fault(
        "directory.load",
        #"{"extension":"e","incremental":false,"blocking":[0],"identification":[]}"#,
        602,
        "params.blocking is [0]; it must be an array of telephone numbers: country code and digits"
    ),
    Fault(
        "directory.load",
        #"{"extension":"e","incremental":false,"blocking":[],"identification":[{"number":9223372036854775807,"label":"x"}]}"#,
        602,
        "params.identification[0].number is 9223372036854775807; it must be a telephone number as a whole number: "
            + "country code and digits"
    ),
    Fault(
        "directory.load",
        #"{"extension":"e","incremental":false,"blocking":[],"identification":[{"number":1,"label":""}]}"#,
        602,
        #"params.identification[0].label is ""; it must be a string of 1 to 256 bytes without control or invisible characters"#
    ),
    Fault(
        "directory.load",
        #"{"extension":"e","incremental":false,"blocking":[],"identification":[],"batch":0}"#,
        602,
        "params.batch is 0; it must be a whole number of 1 or more"
    ),
    Fault("directory.setEnabled", #"{"extension":"e"}"#, -32602, "params.enabled is missing; it must be true or false"),
]

private let prefixRequirement =
    #"be the first 1 to 18 digits of telephone numbers, country code first, such as "4930""#

private func prefixSentence(_ prefix: String) -> String {
    #"params.prefix is "\#(prefix)"; it must \#(prefixRequirement)"#
}
