import Testing

@testable import HubCrypto

struct JSONReaderTests {
    private func read(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.value(of: Array(text.utf8)) }

    @Test func `values are parsed as written`() throws {
        let value = try read(#" {"a":[1,-2.5e2,0,true,false,null],"b":{"c":"x\"\\\/\b\f\n\r\té😀é"}} "#)
        let object = try #require(value.object)
        #expect(object["a"]?.array == [.number(1), .number(-250), .number(0), .boolean(true), .boolean(false), .null])
        #expect(object["b"]?.object?["c"]?.string == "x\"\\/\u{8}\u{c}\n\r\té😀é")
        #expect(object["c"] == nil)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}", "[1 2]", "01", "+1", "1.", ".5", "1e",
        "1e999", "-", "--1", "0x10", "NaN", "Infinity", "tru", "nulll", "True", "\"", "\"\n\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "{} {}", "{}x", "\u{FEFF}{}", "// c\n1",
    ])
    func `invalid JSON is refused with its position`(text: String) {
        guard case .syntax(let place)? = fault(JSONError.self, { _ = try read(text) }) else {
            Issue.record("\(text) is accepted")
            return
        }
        #expect((0...text.utf8.count).contains(place))
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"a":1,"a":2}}]"#,
    ])
    func `a duplicate member is refused, however its name is written`(text: String) {
        #expect(fault(JSONError.self) { _ = try read(text) } == .duplicateMember("a"))
    }

    @Test func `canonically equivalent names are different members`() throws {
        let object = try #require(read("{\"\u{E9}\":1,\"e\u{301}\":2}").object)
        #expect(object["\u{E9}"] == .number(1))
        #expect(object["e\u{301}"] == .number(2))
    }

    @Test(
        arguments: [[0xFF], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]]
    )
    func `text that is not UTF-8 is refused`(bytes: [UInt8]) {
        #expect(fault(JSONError.self) { _ = try JSONReader.value(of: bytes) } == .notUTF8)
    }

    @Test func `nesting depth is limited without recursion`() throws {
        let most = JSONReader.maximumDepth
        _ = try read(String(repeating: "[", count: most) + String(repeating: "]", count: most))
        for opening in ["[", "{\"a\":"] {
            #expect(fault(JSONError.self) { _ = try read(String(repeating: opening, count: 1_000_000)) } == .tooDeep)
        }
    }
}
