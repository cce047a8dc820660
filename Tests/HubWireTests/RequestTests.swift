import HubEngine
import HubWire
import Testing

@Suite struct RequestTests {
    @Test(arguments: [
        ("1", RequestID.number("1")),
        ("-0", .number("-0")),
        ("7.0", .number("7.0")),
        ("1e400", .number("1e400")),
        ("12345678901234567890123456789", .number("12345678901234567890123456789")),
        (#""a\u00e9""#, .string("aé")),
        (#""""#, .string("")),
        ("null", .null),
    ])
    func `a reply has the id of its request`(text: String, id: RequestID) throws {
        let message = read(#"{"jsonrpc":"2.0","method":"observer.calls","id": \#(text) }"#)
        #expect(message.id == id)
        #expect(try message.content.get() == .engine(.calls))
        guard case .number = id else { return }
        var bytes: [UInt8] = []
        HubMessage.reply(id, .success(.done)).encode(into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"jsonrpc":"2.0","id":\#(text),"result":{}}"#)
    }

    @Test func `an id is recognised if its name contains escapes`() {
        #expect(read(#"{"jsonrpc":"2.0","\u0069d":7.0,"method":"observer.calls"}"#).id == .number("7.0"))
    }

    @Test func `a request without an id gets no reply, even if it is faulty`() {
        #expect(read(#"{"jsonrpc":"2.0","method":"observer.calls"}"#).id == nil)
        #expect(read(#"{"jsonrpc":"2.0","method":"no.such"}"#).id == nil)
        #expect(read(#"{"jsonrpc":"2.0","method":"action.fail"}"#).id == nil)
    }

    @Test(arguments: [
        #"{"a":[1.0,1e400,"ä\u0000"]}"#, "null", "1.50", #""x""#, "[]",
    ])
    func `a ping's t is returned unchanged`(t: String) throws {
        let message = read(#"{"jsonrpc":"2.0","id":1,"method":"session.ping","params":{"x":0,"t": \#(t) }}"#)
        let text = try #require(RawJSON(Array(t.utf8)))
        #expect(try message.content.get() == .ping(text))
        var bytes: [UInt8] = []
        HubMessage.reply(RequestID(1), .success(.pong(text, now: Instant(nanoseconds: 0)))).encode(into: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":1,"result":{"t":\#(t),"now":"1970-01-01T00:00:00.000Z"}}"#
        )
    }

    @Test func `a ping without t is valid`() throws {
        #expect(try read(#"{"jsonrpc":"2.0","id":1,"method":"session.ping"}"#).content.get() == .ping(nil))
    }

    @Test func `an empty list of actions is left to the engine to refuse`() throws {
        let message = read(#"{"jsonrpc":"2.0","id":1,"method":"transaction.request","params":{"actions":[]}}"#)
        #expect(try message.content.get() == .engine(.transaction([])))
    }

    @Test func `unknown members are ignored`() throws {
        let message = read(
            #"""
            {"jsonrpc":"2.0","id":1,"later":{},"method":"transaction.request","params":{"later":1,"actions":[
              {"type":"end","callUUID":"0196F3B0-7C1D-4F4E-9A55-3A1B2C3D4E5F","later":[]}]}}
            """#
        )
        let call = CallUUID(high: 0x0196_F3B0_7C1D_4F4E, low: 0x9A55_3A1B_2C3D_4E5F)
        #expect(try message.content.get() == .engine(.transaction([ActionRequest(callUUID: call, kind: .end)])))
    }

    @Test(arguments: ["x", "Can't talk now, call me later", "못 받아요 👩\u{200D}🚀", String(repeating: "é", count: 128)])
    func `an end may have a message of one line, and null is none (CH-02)`(text: String) throws {
        let call = CallUUID(high: 0x0196_F3B0_7C1D_4F4E, low: 0x9A55_3A1B_2C3D_4E5F)
        func action(_ members: String) throws -> ActionKind? {
            let message = read(
                #"{"jsonrpc":"2.0","id":1,"method":"transaction.request","params":{"actions":[{"type":"end","#
                    + #""callUUID":"0196F3B0-7C1D-4F4E-9A55-3A1B2C3D4E5F"\#(members)}]}}"#
            )
            guard case .engine(.transaction(let actions)) = try message.content.get() else { return nil }
            #expect(actions.map(\.callUUID) == [call])
            return actions.first?.kind
        }
        #expect(try action(#","message":"\#(text)""#) == .decline(message: text, onlyHere: false))
        #expect(try action(#","message":"\#(text)","onlyHere":true"#) == .decline(message: text, onlyHere: true))
        #expect(try action(#","message":null"#) == .end)
        #expect(try action(#","message":null,"onlyHere":true"#) == .endHere)
    }

    @Test func `a sign-in with only a name has the defaults of CallKit and the protocol`() throws {
        let message = read(#"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"account":"alice"}}"#)
        guard case .open(let open) = try message.content.get() else {
            Issue.record("not an open")
            return
        }
        #expect(open == SessionOpenRequest(account: "alice"))
        #expect(open.provider == ProviderConfiguration())
        #expect(open.fulfillment == .automatic)
        #expect(!open.executesTransactions)
        #expect(!open.reportsDroppedPackets)
        #expect(open.permissions == [.call])
        #expect(open.audioDelivery == .streams)
    }

    @Test func `null has the meaning of an absent optional member`() throws {
        let message = read(
            #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"account":"alice","device":null,"provider":null,"#
                + #""fulfillment":null,"executesTransactions":null,"audio":null,"client":null,"resume":null}}"#
        )
        #expect(try message.content.get() == .open(SessionOpenRequest(account: "alice")))
    }

    @Test func `handle types are a set in the order of CallKit's raw values`() throws {
        let message = read(
            #"{"jsonrpc":"2.0","id":1,"method":"provider.configure","params":{"provider":"#
                + #"{"supportedHandleTypes":["emailAddress","generic","emailAddress"]}}}"#
        )
        var provider = ProviderConfiguration()
        provider.supportedHandleTypes = [.generic, .emailAddress]
        #expect(try message.content.get() == .engine(.configure(provider)))
    }

    @Test(arguments: [
        ("", Bool?.none), (#","executesTransactions":true"#, true), (#","executesTransactions":false"#, false),
    ])
    func `a provider is configured with offers of transactions, without, or as before`(
        _ member: String,
        _ isOffered: Bool?
    ) throws {
        let message = read(
            #"{"jsonrpc":"2.0","id":1,"method":"provider.configure","params":{"provider":{}\#(member)}}"#
        )
        let request = Request.configure(ProviderConfiguration(), executesTransactions: isOffered)
        #expect(try message.content.get() == .engine(request))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `any bytes get a reply`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            var bytes: [UInt8] = []
            if random.flag() {
                random.clientRequest().encode(id: random.maybe { $0.requestID() }, into: &bytes)
                for _ in 0..<random.number(1...4) where !bytes.isEmpty {
                    bytes[random.number(0...bytes.count - 1)] = random.number(0...255)
                }
            } else {
                bytes = random.bytes(upTo: 60)
            }
            let message = IncomingMessage(parsing: bytes)
            if case .failure(let error) = message.content { #expect(error.message.utf8.count < 800) }
            _ = try? HubMessage(parsing: bytes)
        }
    }

    private func read(_ text: String) -> IncomingMessage {
        IncomingMessage(parsing: Array(text.utf8))
    }
}
