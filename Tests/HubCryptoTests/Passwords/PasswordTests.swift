import Testing

@testable import HubCrypto

struct PasswordTests {
    private func prepared(_ text: String) throws -> [UInt8] { try Password(text).memory.withBytes { Array($0) } }

    @Test(arguments: [
        ("correct horse battery staple", "correct horse battery staple"),
        ("Correct Horse", "Correct Horse"),
        ("πßå", "πßå"),
        ("Jack of \u{2666}s", "Jack of \u{2666}s"),
        ("foo\u{1680}bar", "foo bar"),
        ("a\u{A0}b\u{3000}c", "a b c"),
        ("e\u{301}", "\u{E9}"),
        ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"),
        ("\u{212B}", "\u{C5}"),
        ("\u{FF21}", "\u{FF21}"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("\u{2764}\u{FE0F}👩\u{200D}🚀", "\u{2764}\u{FE0F}👩\u{200D}🚀"),
        (" ", " "),
    ])
    func `a password is normalized, so that it is the same from every keyboard`(typed: String, kept: String) throws {
        #expect(try prepared(typed) == Array(kept.utf8))
    }

    @Test(arguments: [
        "my cat is a \u{9}by", "a\u{0}", "\u{7F}", "a\u{200B}b", "\u{202E}abc", "\u{E000}", "\u{FFFE}", "\u{378}",
        "\u{1100}", "\u{2028}", "so\u{AD}ft",
    ])
    func `control and formatting characters in a password are refused`(text: String) {
        #expect(fault(PasswordError.self) { _ = try Password(text) } == .disallowedCharacter)
    }

    @Test func `a password has 1 to 1024 bytes`() throws {
        #expect(fault(PasswordError.self) { _ = try Password("") } == .empty)
        #expect(try prepared(String(repeating: "x", count: 1024)).count == 1024)
        #expect(fault(PasswordError.self) { _ = try Password(String(repeating: "x", count: 1025)) } == .tooLong)
        #expect(fault(PasswordError.self) { _ = try Password(String(repeating: "é", count: 513)) } == .tooLong)
        // U+FB2C has three bytes, and its normalisation six.
        #expect(fault(PasswordError.self) { _ = try Password(String(repeating: "\u{FB2C}", count: 341)) } == .tooLong)
        #expect(
            fault(PasswordError.self) {
                _ = try Password(String(decoding: [UInt8](repeating: 0x78, count: 1 << 24), as: UTF8.self))
            } == .tooLong
        )
    }
}
