import HubAccountData
import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

struct PushMessageTests {
    private static let endpoint = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"
    private static let key = bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    private static let secret = bytes("BTBZMqHH6r4Tts7J_aSIgg")

    private let subscription = PushSubscription(endpoint: endpoint, key: key, secret: secret)
    private var recipient: PushRecipient {
        get throws { try PushRecipient(subscription) }
    }

    @Test func `the example of RFC 8291 appendix A is reproduced byte by byte`() throws {
        let key = try #require(AsymmetricKey(p256Scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        #expect(
            Base64URL.text(of: key.p256Point)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        )
        let message = try PushMessage(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: recipient,
            padding: 0,
            key: key,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw")
        )
        #expect(
            Base64URL.text(of: message.body)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test func `the same text encrypts to different bytes each time`() throws {
        let messages = try (0..<20).map { _ in try PushMessage([1, 2, 3], for: recipient).body }
        #expect(Set(messages.map { Array($0[..<16]) }).count == 20)
        #expect(Set(messages.map { Array($0[21..<86]) }).count == 20)
        #expect(Set(messages.map { Array($0[86...]) }).count == 20)
    }

    @Test func `padding gives texts the same length, and never truncates one`() throws {
        for count in [0, 1, 99, 100] {
            let text = [UInt8](repeating: 7, count: count)
            #expect(try PushMessage(text, for: recipient, paddedTo: 100).body.count == 86 + 100 + 17)
        }
        #expect(try PushMessage([UInt8](repeating: 7, count: 101), for: recipient, paddedTo: 100).body.count == 204)
        #expect(try PushMessage([], for: recipient, paddedTo: .min).body.count == 103)
    }

    @Test func `a message has at most 4,096 bytes`() throws {
        let most = [UInt8](repeating: 7, count: PushMessage.maximumBytes)
        #expect(try PushMessage(most, for: recipient).body.count == 4096)
        let beyond = fault(PushError.self) { _ = try PushMessage(most + [7], for: recipient) }
        #expect(beyond == .tooLong(bytes: 3994))
        #expect(beyond?.description == "The message has 3994 bytes with its padding; it must have 3993 at most.")
        for padding in [3994, .max] {
            #expect(
                fault(PushError.self) { _ = try PushMessage([1], for: recipient, paddedTo: padding) }
                    == .tooLong(bytes: padding)
            )
        }
    }

    // MARK: Recipients

    @Test func `a recipient is stored as the browser gave it`() throws {
        let recipient = try recipient
        #expect(recipient.endpoint.text == Self.endpoint)
        #expect(recipient.point == Self.key)
        #expect(recipient.secret == Self.secret)
    }

    private static let wrongKeys: [[UInt8]] = [
        [], [0], [0, 0, 0], Array(key.dropLast()), key + [0], [0] + key, [2] + key.dropFirst(),
        key.prefix(2) + [key[2] ^ 1] + key.dropFirst(3), Array(repeating: 0, count: 65),
    ]

    @Test(arguments: wrongKeys)
    func `a key that is not on the curve is refused`(key: [UInt8]) {
        var subscription = subscription
        subscription.key = key
        #expect(fault(PushError.self) { _ = try PushRecipient(subscription) } == .p256dh)
    }

    private static let wrongSecrets: [[UInt8]] = [[], [0, 0, 0], Array(secret.dropLast()), secret + [0]]

    @Test(arguments: wrongSecrets)
    func `an authentication secret of another length is refused`(secret: [UInt8]) {
        var subscription = subscription
        subscription.secret = secret
        #expect(fault(PushError.self) { _ = try PushRecipient(subscription) } == .auth)
    }

    @Test func `an endpoint that is not https is refused`() {
        var subscription = subscription
        subscription.endpoint = "http://push.example.net/"
        #expect(fault(PushError.self) { _ = try PushRecipient(subscription) } == .endpoint)
    }
}
