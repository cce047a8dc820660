import HubServer
import Testing

/// The push services that a hub sends to, so that clients cannot have it contact any address.
struct PushServiceListTests {
    @Test(
        arguments: [
            ("fcm.googleapis.com", 443), ("FCM.googleapis.com", 443), ("updates.push.services.mozilla.com", 443),
            ("web.push.apple.com", 443), ("a.b.push.apple.com", 443), ("wns2-by3p.notify.windows.com", 443),
        ] as [(String, UInt16)]
    )
    func `the list contains the browsers' push services`(host: String, port: UInt16) {
        #expect(PushServiceList().admits(host: host, port: port))
    }

    @Test(
        arguments: [
            ("fcm.googleapis.com", 80), ("fcm.googleapis.com", 8443), ("evil.fcm.googleapis.com", 443),
            ("push.apple.com", 443), ("evilpush.apple.com", 443), ("web.push.apple.com.evil.net", 443),
            (".push.apple.com", 443), ("localhost", 443), ("127.0.0.1", 443), ("10.0.0.1", 443), ("", 443),
        ] as [(String, UInt16)]
    )
    func `the list contains no other hosts`(host: String, port: UInt16) {
        #expect(!PushServiceList().admits(host: host, port: port))
    }

    @Test func `a port and an address match exactly`() {
        let list = PushServiceList(["localhost:8443", "192.0.2.1", "*.example.com:444"])
        #expect(list.admits(host: "localhost", port: 8443))
        #expect(!list.admits(host: "localhost", port: 443))
        #expect(list.admits(host: "192.0.2.1", port: 443))
        #expect(!list.admits(host: "192.0.2.10", port: 443))
        #expect(list.admits(host: "push.example.com", port: 444))
        #expect(!list.admits(host: "push.example.com", port: 443))
    }

    @Test(arguments: [
        "", "*", "*.com", "*.", "https://push.example.com", "push.example.com/", "push.example.com:",
        "push.example.com:0",
        "push.example.com:65536", "push.example.com:+1", "a:1:2", "push..example.com", "push.*.com",
        "user@push.example.com",
    ])
    func `an invalid host name is refused as an entry`(text: String) {
        #expect(!PushServiceList.isEntry(text))
        #expect(!PushServiceList([text]).admits(host: text, port: 443))
    }
}
