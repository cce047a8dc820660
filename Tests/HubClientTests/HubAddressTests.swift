import Testing

@testable import HubClient

@Suite("Hub addresses")
struct HubAddressTests {
    @Test(arguments: [
        ("ws://localhost:8080/v1", "ws://localhost:8080/v1"),
        ("ws://hub", "ws://hub:80/v1"),
        ("wss://hub.example/v1", "wss://hub.example:443/v1"),
        ("https://hub.example/", "wss://hub.example:443/v1"),
        ("HTTP://hub:9000", "ws://hub:9000/v1"),
        ("localhost", "ws://localhost:8080/v1"),
        ("10.0.0.1:81", "ws://10.0.0.1:81/v1"),
        ("ws://[::1]:8080", "ws://[::1]:8080/v1"),
        ("ws://hub/other?x=1#call=bob", "ws://hub:80/other?x=1"),
        ("ws://hub?x=1", "ws://hub:80/v1?x=1"),
    ])
    func `an incomplete hub address is completed`(text: String, whole: String) {
        #expect(HubAddress(text)?.description == whole)
    }

    @Test(arguments: [
        "", "ws://", "ftp://hub", "ws://hub:0", "ws://hub:99999", "ws://hub:x", "ws://[::1", "ws://a b", "ws://h/a b",
        "ws://h/a\r\nX: y",
    ])
    func `an invalid hub address is refused`(text: String) {
        #expect(HubAddress(text) == nil)
    }
}
