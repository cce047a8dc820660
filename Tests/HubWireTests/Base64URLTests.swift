import HubWire
import Testing

struct Base64URLTests {
    /// The vectors of RFC 4648 section 10 without padding, and the two characters that differ from base64.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("???>", "Pz8_Pg"), ("<<>>", "PDw-Pg"),
    ])
    func `the examples of RFC 4648 are reproduced without padding`(plain: String, text: String) {
        #expect(Base64URL.text(of: plain.utf8) == text)
        #expect(Base64URL.bytes(of: text) == Array(plain.utf8))
    }

    @Test func `every byte value round-trips`() {
        for length in 0...70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 97 + length) }
            #expect(Base64URL.bytes(of: Base64URL.text(of: bytes)) == bytes)
        }
        #expect(Base64URL.text(of: [0xFB, 0xFF, 0xFE]) == "-__-")
    }

    @Test(arguments: [
        "Zg==", "Zg=", "Z", "Zm9vY", "Zm 9", "Zm9v\n", " Zm9v", "-_+_", "ab/d", "Zh", "Zm9", "Zmé", "Zm9v\0",
    ])
    func `a text that is not the canonical form of its bytes is refused`(text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }
}
