import HubWire
import Testing

struct Base64Tests {
    /// The vectors of RFC 4648 section 10, and the two characters that differ from the URL-safe alphabet.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ("???>", "Pz8/Pg=="), ("<<>>", "PDw+Pg=="),
    ])
    func `the examples of RFC 4648 are reproduced with padding`(plain: String, text: String) {
        #expect(Base64.text(of: Array(plain.utf8)) == text)
        #expect(Base64.bytes(of: text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Z===", "=", "====", "Zm9v====", "Z=m9", "Pz8_Pg==", "PDw-Pg==", "Zm9v\n", "Zm 9v===",
        "Zh==",
        "Zmé=",
    ])
    func `a text that is not the canonical form of its bytes is refused`(text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }
}
