import HubWire

private let call = "0196F3B0-7C1D-4F4E-9A55-3A1B2C3D4E5F"

private let oneLine = "be one line of 1 to 256 bytes without control or invisible characters"

/// Parameters that are missing, or of another type.
let wrongParams: [Fault] = [
    Fault("session.close", "[]", -32602, "params is []; it must be an object: parameters go by name, not by position"),
    Fault("session.ping", "7", -32602, "params is 7; it must be an object: parameters go by name, not by position"),
    Fault("transaction.request", "{}", -32602, "params.actions is missing; it must be an array of actions"),
    Fault("transaction.request", "null", -32602, "params.actions is missing; it must be an array of actions"),
    Fault("transaction.request", #"{"actions":{}}"#, -32602, "params.actions is {}; it must be an array of actions"),
    Fault(
        "transaction.request",
        #"{"actions":null}"#,
        -32602,
        "params.actions is null; it must be an array of actions"
    ),
    Fault("transaction.request", #"{"actions":[7]}"#, -32602, "params.actions[0] is 7; it must be an object"),
    Fault(
        "transaction.request",
        #"{"actions":[{}]}"#,
        -32602,
        "params.actions[0].type is missing; it must be a string"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)"},{"type":"end"}]}"#,
        -32602,
        "params.actions[1].callUUID is missing; it must be a UUID"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":5}]}"#,
        -32602,
        "params.actions[0].callUUID is 5; it must be a UUID"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","message":7}]}"#,
        -32602,
        "params.actions[0].message is 7; it must \(oneLine)"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"setHeld","callUUID":"\#(call)"}]}"#,
        -32602,
        "params.actions[0].isOnHold is missing; it must be true or false"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"setMuted","callUUID":"\#(call)","isMuted":1}]}"#,
        -32602,
        "params.actions[0].isMuted is 1; it must be true or false"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"start","callUUID":"\#(call)","handle":{"type":"generic","value":"b"},"isExternal":1}]}"#,
        -32602,
        "params.actions[0].isExternal is 1; it must be true or false"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"setGroup","callUUID":"\#(call)"}]}"#,
        -32602,
        "params.actions[0].callUUIDToGroupWith is missing; it must be a call's UUID or null"
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"start","callUUID":"\#(call)","handle":"bob"}]}"#,
        -32602,
        #"params.actions[0].handle is "bob"; it must be an object"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"start","callUUID":"\#(call)","handle":{"type":"generic"}}]}"#,
        -32602,
        "params.actions[0].handle.value is missing; it must be a string that is not empty"
    ),
    Fault("action.fulfill", "{}", -32602, "params.action is missing; it must be a UUID"),
    Fault(
        "action.fulfill",
        #"{"action":"\#(call)","date":1700000000}"#,
        -32602,
        "params.date is 1700000000; it must be an RFC 3339 date, like 2026-11-21T07:22:01.123Z"
    ),
    Fault(
        "provider.executed",
        #"{"transaction":"\#(call)"}"#,
        -32602,
        "params.handled is missing; it must be true or false"
    ),
    Fault("provider.configure", "{}", -32602, "params.provider is missing; it must be an object"),
    Fault(
        "provider.configure",
        #"{"provider":{"supportedHandleTypes":["generic",3]}}"#,
        -32602,
        #"params.provider.supportedHandleTypes[1] is 3; it must be "generic", "phoneNumber" or "emailAddress""#
    ),
    Fault(
        "provider.configure",
        #"{"provider":{"maximumCallGroups":1.5}}"#,
        -32602,
        "params.provider.maximumCallGroups is 1.5; it must be a whole number from 1 to 1000"
    ),
    Fault("session.open", #"{"account":""}"#, -32602, #"params.account is ""; it must be a string that is not empty"#),
    Fault(
        "session.open",
        #"{"account":["a"]}"#,
        -32602,
        #"params.account is ["a"]; it must be a string that is not empty"#
    ),
    Fault(
        "session.open",
        #"{"account":"a","device":{"id":""}}"#,
        -32602,
        #"params.device.id is ""; it must be a string of 1 to 256 bytes without control or invisible characters"#
    ),
    Fault(
        "session.open",
        #"{"account":"a","device":{"id":"\#(String(repeating: "i", count: 257))"}}"#,
        -32602,
        #"params.device.id is "\#(String(repeating: "i", count: 59))…; "#
            + "it must be a string of 1 to 256 bytes without control or invisible characters"
    ),
    Fault(
        "session.open",
        #"{"account":"a","device":{"name":"a\u001b[2J"}}"#,
        -32602,
        #"params.device.name is "a\u001b[2J"; "#
            + "it must be a string of at most 256 bytes without control or invisible characters"
    ),
    Fault(
        "session.open",
        #"{"account":"a","fulfillment":"never"}"#,
        -32602,
        #"params.fulfillment is "never"; it must be "automatic" or "manual""#
    ),
    Fault(
        "session.open",
        #"{"account":"a","audio":{"delivery":"carrier pigeon"}}"#,
        -32602,
        #"params.audio.delivery is "carrier pigeon"; it must be "mixed" or "streams""#
    ),
    Fault(
        "session.open",
        #"{"account":"a","permissions":["call","fly"]}"#,
        -32602,
        #"params.permissions[1] is "fly"; it must be "call", "observe", "record", "operate" or "admin""#
    ),
    Fault(
        "session.open",
        #"{"account":"a","permissions":"call"}"#,
        -32602,
        #"params.permissions is "call"; it must be an array"#
    ),
    Fault(
        "session.open",
        #"{"account":"a","resume":{"session":"s","token":"t","seq":-1}}"#,
        -32602,
        "params.resume.seq is -1; it must be a whole number of 0 or more"
    ),
]

/// Parameters of the right type with an invalid value.
let senselessParams: [Fault] = [
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"x"}]}"#,
        602,
        #"params.actions[0].callUUID is "x"; it must be a UUID"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","uuid":""}]}"#,
        602,
        #"params.actions[0].uuid is ""; it must be a UUID"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","message":""}]}"#,
        602,
        #"params.actions[0].message is ""; it must \#(oneLine)"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","message":"\#(String(repeating: "n", count: 257))"}]}"#,
        602,
        #"params.actions[0].message is "\#(String(repeating: "n", count: 59))…; it must \#(oneLine)"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","message":"one\ntwo"}]}"#,
        602,
        #"params.actions[0].message is "one\ntwo"; it must \#(oneLine)"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"end","callUUID":"\#(call)","message":"gp\u202e1","onlyHere":true}]}"#,
        602,
        #"params.actions[0].message is "gp\u202e1"; it must \#(oneLine)"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"start","callUUID":"\#(call)","handle":{"type":"generic","value":""}}]}"#,
        602,
        #"params.actions[0].handle.value is ""; it must be a string that is not empty"#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"start","callUUID":"\#(call)","handle":{"type":"sip","value":"bob"}}]}"#,
        602,
        #"params.actions[0].handle.type is "sip"; it must be "generic", "phoneNumber" or "emailAddress""#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"playDTMF","callUUID":"\#(call)","digits":"1","dtmfType":"beep"}]}"#,
        602,
        #"params.actions[0].dtmfType is "beep"; it must be "singleTone", "softPause" or "hardPause""#
    ),
    Fault(
        "transaction.request",
        #"{"actions":[{"type":"wave","callUUID":"\#(call)"},{"type":"end","callUUID":"x"}]}"#,
        602,
        #"params.actions[1].callUUID is "x"; it must be a UUID"#
    ),
    Fault(
        "action.fail",
        #"{"action":"\#(call.dropLast())"}"#,
        602,
        #"params.action is "\#(call.dropLast())"; it must be a UUID"#
    ),
    Fault(
        "action.fulfill",
        #"{"action":"\#(call)","date":"tomorrow"}"#,
        602,
        #"params.date is "tomorrow"; it must be an RFC 3339 date, like 2026-11-21T07:22:01.123Z"#
    ),
    Fault(
        "action.fulfill",
        #"{"action":"\#(call)","date":"9999-12-31T23:59:59Z"}"#,
        602,
        #"params.date is "9999-12-31T23:59:59Z"; it must be an RFC 3339 date, like 2026-11-21T07:22:01.123Z"#
    ),
    Fault(
        "provider.configure",
        #"{"provider":{"maximumCallGroups":0}}"#,
        602,
        "params.provider.maximumCallGroups is 0; it must be a whole number from 1 to 1000"
    ),
    Fault(
        "session.open",
        #"{"account":"a","provider":{"maximumCallsPerCallGroup":-3}}"#,
        602,
        "params.provider.maximumCallsPerCallGroup is -3; it must be a whole number from 1 to 1000"
    ),
    Fault(
        "provider.reportCallEnded",
        #"{"callUUID":"\#(call)","reason":"bored"}"#,
        602,
        #"params.reason is "bored"; it must be "failed", "remoteEnded", "unanswered", "answeredElsewhere" or "#
            + #""declinedElsewhere""#
    ),
    Fault(
        "action.fulfill",
        #"{"action":"\#(call)","translationEngine":"magic"}"#,
        602,
        #"params.translationEngine is "magic"; it must be "default" or "custom""#
    ),
    Fault(
        "provider.reportOutgoingCall",
        #"{"callUUID":"\#(call)","event":"ringing"}"#,
        602,
        #"params.event is "ringing"; it must be "startedConnecting" or "connected""#
    ),
    Fault(
        "provider.reportCall",
        #"{"callUUID":"\#(call)","update":{"remoteHandle":{"type":"generic","value":""}}}"#,
        602,
        #"params.update.remoteHandle.value is ""; it must be a string that is not empty"#
    ),
    Fault(
        "provider.pending",
        #"{"type":"hold"}"#,
        602,
        #"params.type is "hold"; it must be "start", "answer", "end", "setHeld", "setMuted", "setGroup", "playDTMF", "#
            + #""pull", "transfer" or "setTranslating""#
    ),
    Fault(
        "action.fail",
        #"{"action":"\#(String(repeating: "ä", count: 90))"}"#,
        602,
        #"params.action is "\#(String(repeating: "ä", count: 59))…; it must be a UUID"#
    ),
]
