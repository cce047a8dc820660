import HubAccountData
import HubEngine
import HubWire
import Testing

/// JSON that RFC 8259 allows and clients seldom send, read like all other JSON.
@Suite struct JSONReaderTests {
    private func request(_ text: String) throws -> ClientRequest {
        try IncomingMessage(parsing: Array(text.utf8)).content.get()
    }

    @Test func `a member's name may be written with escapes`() throws {
        let text = #"{"jsonrpc":"2.0","id":1,"m\u0065thod":"session.ping","params":{"\u0074":[1.50]}}"#
        #expect(try request(text) == .ping(RawJSON(Array("[1.50]".utf8))))
    }

    @Test func `of duplicate members the first counts`() throws {
        let text = #"{"jsonrpc":"2.0","id":1,"id":2,"method":"session.ping","method":"session.close","params":{}}"#
        let message = IncomingMessage(parsing: Array(text.utf8))
        #expect(message.id == .number("1"))
        #expect(try message.content.get() == .ping(nil))
    }

    @Test func `escapes are decoded to their characters`() {
        let text = #"{"jsonrpc":"2.0","id":"\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00é😀\u0000.","method":"observer.calls"}"#
        let message = IncomingMessage(parsing: Array(text.utf8))
        #expect(message.id == .string("\"\\/\u{8}\u{c}\n\r\té😀é😀\0."))
    }

    @Test(arguments: ["7", "7.0", "70e-1", "0.7E+1"])
    func `a whole number is accepted in every notation`(number: String) throws {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"recents.list","params":{"limit":\#(number)}}"#
        #expect(try request(text) == .accountData(.listRecents(limit: 7, before: nil)))
    }

    @Test(arguments: ["0", "1001", "-1", "1e30", "1e400", "-1e400", "99999999999999999999"])
    func `a whole number outside its range is refused`(number: String) {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"recents.list","params":{"limit":\#(number)}}"#
        let sentence = "params.limit is \(number); it must be a whole number from 1 to 1000"
        #expect(throws: WireError(.general(.invalidArgument), sentence)) { try request(text) }
    }

    @Test(arguments: ["7.5", "\"7\"", "[7]", "true"])
    func `any other value is not a whole number`(value: String) {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"recents.list","params":{"limit":\#(value)}}"#
        let sentence = "params.limit is \(value); it must be a whole number from 1 to 1000"
        #expect(throws: WireError(.invalidParams, sentence)) { try request(text) }
    }

    private func displayName(marks: Int, _ kind: String = "\u{301}\u{323}") -> String {
        let name = "a" + String(repeating: kind, count: marks / kind.unicodeScalars.count)
        return #"{"jsonrpc":"2.0","id":1,"method":"settings.set","params":{"displayName":"\#(name)"}}"#
    }

    @Test func `a text with the permitted number of combining marks is accepted`() throws {
        #expect(throws: Never.self) { try request(displayName(marks: 120)) }
    }

    @Test func `a text that would take seconds to compare is refused, without quoting it`() {
        let sentence = "params.displayName is wrong; it must have at most 128 combining marks in a row"
        #expect(throws: WireError(.general(.invalidArgument), sentence)) { try request(displayName(marks: 130)) }
        #expect(throws: WireError(.general(.invalidArgument), sentence)) { try request(displayName(marks: 20_000)) }
    }

    @Test func `a method name that would take seconds to compare is refused`() {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 10_000)
        let message = IncomingMessage(parsing: Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(name)"}"#.utf8))
        let sentence = "method is wrong; it must have at most 128 combining marks in a row"
        #expect(message.content == .failure(WireError(.invalidRequest, sentence)))
    }
}
