import HubWire
import Testing

private let call = "0196F3B0-7C1D-4F4E-9A55-3A1B2C3D4E5F"

@Suite struct RequestFaultTests {
    private static let faults =
        notJSON + notARequest + unknownMethods + wrongParams + senselessParams + accountDataFaults + serverFaults
        + peopleFaults + photoFaults + appearanceFaults

    @Test(arguments: faults)
    private func `each fault has its code, its message and the request's id`(fault: Fault) throws {
        let message = IncomingMessage(parsing: Array(fault.message.utf8))
        #expect(message.id == fault.id)
        guard case .failure(let error) = message.content else {
            Issue.record("accepted as \(message.content)")
            return
        }
        #expect(error.code.number == fault.code)
        #expect(error.message == fault.sentence)
        #expect(error.isProtocolViolation == (fault.code < 0))
    }

    @Test(arguments: [
        (#"[{"type":"end","callUUID":"\#(call)"},{"type":"end","callUUID":"x"}]"#, 1),
        (#"[{"type":"end","callUUID":"\#(call)"},{"type":"end"}]"#, 1),
    ])
    func `a fault in an action contains the action's index`(actions: String, index: Int) throws {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"transaction.request","params":{"actions":\#(actions)}}"#
        let message = IncomingMessage(parsing: Array(text.utf8))
        #expect(throws: WireError.self) { try message.content.get() }
        guard case .failure(let error) = message.content else { return }
        #expect(error.actionIndex == index)
    }

    @Test func `the method is known even if its parameters are faulty`() {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"action.fail","params":{}}"#
        #expect(IncomingMessage(parsing: Array(text.utf8)).method == .actionFail)
    }

    @Test func `text that is not UTF-8 is refused as JSON`() {
        let message = IncomingMessage(parsing: Array(#"{"a":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8))
        guard case .failure(let error) = message.content else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .parseError)
        #expect(error.message == "the message is not JSON (RFC 8259): at byte 0 there must be UTF-8 text")
    }

    @Test func `UTF-16 is not accepted as JSON`() {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"session.ping"}"#
        let bytes = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        guard case .failure(let error) = IncomingMessage(parsing: bytes).content else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .parseError)
    }
}
