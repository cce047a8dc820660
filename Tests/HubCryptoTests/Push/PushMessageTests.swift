import Testing

import enum HubWire.Base64URL

@testable import HubCrypto

struct PushMessageTests {
    private static let endpoint = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"
    private static let p256dh =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    private var subscription: PushSubscription {
        get throws { try PushSubscription(endpoint: Self.endpoint, p256dh: Self.p256dh, auth: Self.auth) }
    }

    @Test func `the example of RFC 8291 appendix A is met to the byte`() throws {
        let key = try #require(AsymmetricKey(p256Scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        #expect(
            Base64URL.text(of: key.p256Point)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        )
        let message = try PushMessage(
            Array("When I grow up, I want to be a watermelon".utf8),
            for: subscription,
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

    @Test func `the same text is other bytes each time`() throws {
        let messages = try (0..<20).map { _ in try PushMessage([1, 2, 3], for: subscription).body }
        #expect(Set(messages.map { Array($0[..<16]) }).count == 20)
        #expect(Set(messages.map { Array($0[21..<86]) }).count == 20)
        #expect(Set(messages.map { Array($0[86...]) }).count == 20)
    }

    @Test func `padding makes texts of one length, and never cuts one`() throws {
        for count in [0, 1, 99, 100] {
            let text = [UInt8](repeating: 7, count: count)
            #expect(try PushMessage(text, for: subscription, paddedTo: 100).body.count == 86 + 100 + 17)
        }
        #expect(try PushMessage([UInt8](repeating: 7, count: 101), for: subscription, paddedTo: 100).body.count == 204)
        #expect(try PushMessage([], for: subscription, paddedTo: .min).body.count == 103)
    }

    @Test func `a message fills 4,096 bytes and no more`() throws {
        let most = [UInt8](repeating: 7, count: PushMessage.maximumBytes)
        #expect(try PushMessage(most, for: subscription).body.count == 4096)
        let beyond = fault(PushFault.self) { _ = try PushMessage(most + [7], for: subscription) }
        #expect(beyond == .tooLong(bytes: 3994))
        #expect(beyond?.description == "The message has 3994 bytes with its padding; it must have 3993 at most.")
        for padding in [3994, .max] {
            #expect(
                fault(PushFault.self) { _ = try PushMessage([1], for: subscription, paddedTo: padding) }
                    == .tooLong(bytes: padding)
            )
        }
    }

    // MARK: Subscriptions

    @Test func `a subscription keeps what the browser said`() throws {
        let subscription = try subscription
        #expect(subscription.endpoint.text == Self.endpoint)
        #expect(subscription.p256dh == Self.p256dh)
        #expect(subscription.auth == Self.auth)
    }

    @Test(arguments: [
        "", "AAAA", p256dh + "=", String(p256dh.dropLast()), "A" + p256dh, p256dh.replacing("BCV", with: "BCW"),
        p256dh.replacing("BCV", with: "AiV"), p256dh.replacing("_", with: "/"),
        Base64URL.text(of: [UInt8](repeating: 0, count: 65)), Base64URL.text(of: [0]),
    ])
    func `a key that is no point is refused`(p256dh: String) {
        let refused = fault(PushFault.self) {
            _ = try PushSubscription(endpoint: Self.endpoint, p256dh: p256dh, auth: Self.auth)
        }
        #expect(refused == .p256dh)
    }

    @Test(arguments: [
        "", "AAAA", auth + "==", "BTBZMqHH6r4Tts7J_aSI", "BTBZMqHH6r4Tts7J_aSIggAA", "BTBZMqHH6r4Tts7J/aSIgg",
    ])
    func `a secret of another length or alphabet is refused`(auth: String) {
        let refused = fault(PushFault.self) {
            _ = try PushSubscription(endpoint: Self.endpoint, p256dh: Self.p256dh, auth: auth)
        }
        #expect(refused == .auth)
    }

    @Test func `an endpoint that is not https is refused`() {
        let refused = fault(PushFault.self) {
            _ = try PushSubscription(endpoint: "http://push.example.net/", p256dh: Self.p256dh, auth: Self.auth)
        }
        #expect(refused == .endpoint)
    }
}
