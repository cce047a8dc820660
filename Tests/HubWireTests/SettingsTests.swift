import HubAccountData
import HubEngine
import HubWire
import Testing

/// The settings, the block list and a browser's subscription, in the notation of docs/protocol.md.
@Suite struct SettingsTests {
    @Test func `settings are set individually, and absent or null ones are unchanged (CK-13)`() throws {
        let night = QuietHours(days: [.monday, .sunday], from: 22 * 60, to: 7 * 60 + 5)
        let all = try settings(
            #"{"doNotDisturb":true,"quietHours":[{"days":["sunday","monday","sunday"],"from":"22:00","to":"07:05"}],"#
                + #""timeZone":"Europe/Berlin","device":{"doNotDisturb":true},"displayName":"Bob","isNamedInGroups":false,"#
                + #""acceptsTransferredStrangers":false,"holdAudio":"tone"}"#
        )
        let expected = SettingsUpdate(
            doNotDisturb: true,
            quietHours: [night],
            timeZone: "Europe/Berlin",
            deviceDoNotDisturb: true,
            displayName: "Bob",
            isNamedInGroups: false,
            acceptsTransferredStrangers: false,
            holdAudio: .tone
        )
        #expect(all == expected)
        #expect(try settings("{}") == SettingsUpdate())
        let nulls =
            #"{"doNotDisturb":null,"quietHours":null,"timeZone":null,"device":null,"displayName":null,"#
            + #""isNamedInGroups":null,"acceptsTransferredStrangers":null,"holdAudio":null}"#
        #expect(try settings(nulls) == SettingsUpdate())
        #expect(try settings(#"{"device":{}}"#) == SettingsUpdate())
        let none = SettingsUpdate(quietHours: [], timeZone: "", displayName: "")
        #expect(try settings(#"{"quietHours":[],"timeZone":"","displayName":""}"#) == none)
    }

    @Test(arguments: ["", "کتاب\u{200C}ها", "👩\u{200D}🚀", "葛\u{E0100}城", "❤\u{FE0F}", "Zoë  Müller", "\u{202F}1"])
    func `a name may contain any script, including emoji`(name: String) throws {
        #expect(try settings(#"{"displayName":"\#(name)"}"#) == SettingsUpdate(displayName: name))
    }

    @Test func `settings are sent completely, days in the order of the week (CK-13)`() {
        var settings = DeviceSettings()
        settings.quietHours = [QuietHours(days: [.sunday, .monday], from: 1_320, to: 5)]
        (settings.timeZone, settings.deviceDoNotDisturb) = ("Asia/Seoul", true)
        #expect(
            text(.success(.settings(settings)))
                == #"{"jsonrpc":"2.0","id":1,"result":{"doNotDisturb":false,"quietHours":"#
                + #"[{"days":["monday","sunday"],"from":"22:00","to":"00:05"}],"timeZone":"Asia/Seoul","#
                + #""device":{"doNotDisturb":true},"displayName":"","isNamedInGroups":true,"isListed":true,"#
                + #""acceptsTransferredStrangers":true,"holdAudio":"hub"}}"#
        )
    }

    @Test func `quiet hours that do not apply until a date have it in answers, and others none (CK-13)`() throws {
        let date = Instant(nanoseconds: 1_000_000_000)
        let wire = #""quietHoursSkippedUntil":"1970-01-01T00:00:01.000Z""#
        #expect(try settings("{\(wire)}") == SettingsUpdate(quietHoursSkippedUntil: date))
        #expect(try settings(#"{"quietHoursSkippedUntil":null}"#) == SettingsUpdate())
        var shown = DeviceSettings()
        #expect(!text(.success(.settings(shown))).contains("quietHoursSkippedUntil"))
        shown.quietHoursSkippedUntil = date
        #expect(text(.success(.settings(shown))).contains(wire))
    }

    @Test(arguments: [#""tomorrow""#, "7", "true", #""1677-01-01T00:00:00Z""#, #""2263-01-01T00:00:00Z""#, "9e99"])
    func `a date until which quiet hours do not apply must be one`(date: String) {
        #expect(throws: (any Error).self) { try settings(#"{"quietHoursSkippedUntil":\#(date)}"#) }
    }

    @Test func `settings of an older hub are readable`() throws {
        let message = #"{"jsonrpc":"2.0","id":1,"result":{"doNotDisturb":true,"displayName":"B"}}"#
        var expected = DeviceSettings()
        (expected.doNotDisturb, expected.displayName) = (true, "B")
        #expect(try HubMessage(parsing: Array(message.utf8)) == .reply(RequestID(1), .success(.settings(expected))))
    }

    @Test(arguments: [("+4930", "4930"), ("4930", "4930"), ("1", "1"), ("123456789012345678", "123456789012345678")])
    func `a number prefix consists of digits, with or without a plus (CK-11)`(prefix: String, digits: String) throws {
        for (method, expected) in [
            ("block.add", AccountDataRequest.block(.prefix(digits))), ("block.remove", .unblock(.prefix(digits))),
        ] {
            let params = #"{"prefix":"\#(prefix)","handle":null}"#
            let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
            #expect(try IncomingMessage(parsing: Array(request.utf8)).content.get() == .accountData(expected))
        }
    }

    @Test func `handles and prefixes are distinguished (CK-11)`() {
        let rules: [BlockRule] = [.prefix("4930"), .handle(.generic("eve")), .prefix("1")]
        let result = #"{"handles":[{"type":"generic","value":"eve"}],"prefixes":["4930","1"]}"#
        #expect(text(.success(.blocked(rules))) == #"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#)
    }

    @Test func `a push subscription is accepted in the browser's format (CK-80)`() throws {
        // The keys of RFC 8291, appendix A.
        let request =
            #"{"jsonrpc":"2.0","id":1,"method":"push.subscribe","params":{"endpoint":"https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV","#
            + #""expirationTime":null,"keys":{"p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4","#
            + #""auth":"BTBZMqHH6r4Tts7J_aSIgg=="}}}"#
        guard case .push(.subscribe(let subscription)) = try IncomingMessage(parsing: Array(request.utf8)).content.get()
        else {
            Issue.record("not a subscription")
            return
        }
        #expect(subscription.endpoint == "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV")
        #expect((subscription.key.count, subscription.key.first, subscription.key.last) == (65, 4, 0x0E))
        #expect((subscription.secret.count, subscription.secret.first, subscription.secret.last) == (16, 5, 0x82))
        #expect(subscription.expiresAt == nil)
        let expiring = request.replacing("null,", with: "1795246921123.9,")
        guard case .push(.subscribe(let other)) = try IncomingMessage(parsing: Array(expiring.utf8)).content.get()
        else {
            return
        }
        #expect(other.expiresAt == Instant(nanoseconds: 1_795_246_921_123_000_000))
    }

    @Test func `each sign-in error has a machine-readable name`() throws {
        let names = ErrorCode.known.filter { $0.number == 401 }.map(\.name)
        let usual = ["notSignedIn", "credentialsMissing", "wrongPassword", "wrongToken", "tokenExpired"]
        #expect(names == usual + ["invitationInvalid", "wrongPasskey"])
        #expect(ErrorCode(number: 401, name: "tokenExpired") == .tokenExpired)
        #expect(ErrorCode(number: 401, name: "newer") == .notSignedIn)
        #expect(ErrorCode(number: 503, name: "storeFailed") == .storeFailed)
    }

    private func settings(_ params: String) throws -> SettingsUpdate? {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"settings.set","params":\#(params)}"#
        guard case .accountData(.setSettings(let update)) = try IncomingMessage(parsing: Array(text.utf8)).content.get()
        else {
            return nil
        }
        return update
    }

    private func text(_ outcome: Result<ReplyPayload, WireError>) -> String {
        var bytes: [UInt8] = []
        HubMessage.reply(RequestID(1), outcome).encode(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
