import BenchmarkClient
import Testing

/// Tests of finding a message's kind without decoding it as JSON.
struct ScannedMessageTests {
    @Test(arguments: [
        (#"{"method":"call.changed","params":{"call":{"uuid":"x","state":"ringing"}}}"#, ScannedMessage.Kind.ringing),
        (#"{"method":"call.changed","params":{"call":{"state":"connected"}}}"#, .connected),
        (#"{"method":"call.changed","params":{"call":{"state":"connecting"}}}"#, .other),
        (#"{"method":"call.changed","params":{"call":{"state":"ended"}}}"#, .ended),
        (#"{"method":"provider.didActivateAudioSession","params":{}}"#, .audioActivated),
        (#"{"id":2,"error":{"code":-32000}}"#, .refused),
        (#"{"id":1,"result":{"resumeToken":"abc"}}"#, .signedIn),
        (#"{"id":1,"result":{}}"#, .other),
        ("", .other),
    ])
    func `a message is recognised by its keywords`(text: String, kind: ScannedMessage.Kind) {
        scan(text) { #expect($0.kind == kind) }
    }

    @Test func `the call's UUID is found, and none is made up`() {
        let name = "00000000-0000-4000-8000-00000000c0de"
        scan(#"{"method":"call.changed","params":{"seq":1,"call":{"uuid":"\#(name)","state":"ended"}}}"#) {
            #expect($0.callUUID == name)
        }
        scan(#"{"method":"call.changed","params":{"seq":1,"call":{"uuid":"cut"#) { #expect($0.callUUID == "") }
    }

    private func scan(_ text: String, _ check: (ScannedMessage) -> Void) {
        var text = text
        text.withUTF8 { check(ScannedMessage(UnsafeRawBufferPointer($0))) }
    }
}
