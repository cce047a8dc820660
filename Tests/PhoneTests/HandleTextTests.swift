import HubEngine
import Testing

@testable import CommandLineTools

@Suite("Typed handles and links")
struct HandleTextTests {
    private static let read: [(String, Handle)] = [
        ("bob", .generic("bob")),
        ("callhub:bob", .generic("bob")),
        ("CallHub://bob", .generic("bob")),
        ("callhub:phoneNumber:%2B493012345", Handle(type: .phoneNumber, value: "+493012345")),
        ("https://hub.example/#call=bob%20b", .generic("bob b")),
        // No encodings of UTF-8: the text itself.
        ("callhub:bob%+5%4", .generic("bob%+5%4")),
        ("callhub:bob%ff", .generic("bob%ff")),
        ("callhub:bob#call=eve", .generic("bob#call=eve")),
        (
            "https://hub.example/#call=emailAddress:bob@example.org",
            Handle(type: .emailAddress, value: "bob@example.org")
        ),
    ]

    @Test(arguments: read.indices) func `a callhub link contains the handle to call (CK-72, CK-73)`(index: Int) throws {
        let (text, handle) = Self.read[index]
        #expect(try Handle(text: text) == handle)
    }

    @Test(arguments: ["sip:bob", "monkeycall://bob", "callto:bob", "callhub:sip:bob", "callhub:", "callhub://", ""])
    func `a link with another scheme, or without a handle, is refused (CK-73)`(text: String) {
        #expect(throws: UsageError.self) { try Handle(text: text) }
    }
}
