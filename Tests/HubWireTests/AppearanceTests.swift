import HubAccountData
import HubWire
import Testing

/// Icons and ringtones of providers in messages.
struct AppearanceTests {
    @Test func `icons and ringtones of exactly the limits are taken`() throws {
        for (width, size) in [(1, 33), (1_024, ProviderIcon.maximumBytes)] {
            #expect(ProviderIcon(png(width: width, height: width, size: size)) != nil)
        }
        for size in [16, ProviderRingtone.maximumBytes] { #expect(ProviderRingtone(wav(size: size)) != nil) }
        let opus = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24) + Array("OpusHead".utf8)
        #expect(ProviderRingtone(opus) != nil)
    }

    @Test func `an absent member keeps what there is, and null removes it`() throws {
        let text = #"{"jsonrpc":"2.0","id":1,"method":"provider.setAppearance","params":{"icon":null}}"#
        let message = IncomingMessage(parsing: Array(text.utf8))
        guard case .success(.appearance(let request)) = message.content else {
            Issue.record("read as \(message.content)")
            return
        }
        #expect(request == .set(icon: .remove, ringtone: .keep))
    }

    @Test func `a ringtone of the largest size fits into a message`() throws {
        let ringtone = try #require(ProviderRingtone(wav(size: ProviderRingtone.maximumBytes)))
        var bytes: [UInt8] = []
        let request = ClientRequest.appearance(.set(icon: .keep, ringtone: .replace(ringtone)))
        request.encode(id: RequestID(Int.max), into: &bytes)
        #expect(bytes.count < 65_536)
    }
}
