import HubClient
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// Digits as the other party receives them, over real sockets.
struct DigitsOverSocketsTests {
    private static func keyed(_ events: [ClientEvent]) -> [String] {
        events.compactMap { if case .notification(.dtmf(_, let digits, _)) = $0 { digits } else { nil } }
    }

    @Test func `digits arrive one by one in order, with their pauses (CK-54, CK-55)`() async throws {
        let hub = try TestHub { $0.softPause = .milliseconds(100) }
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        let call = try await alice.client.start(.generic("bob"))
        let incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        try await alice.call("is connected") { $0.state == .connected }

        let kinds: [ActionKind] = [
            .playDTMF(digits: "12", type: .singleTone), .playDTMF(digits: "34", type: .softPause),
            .playDTMF(digits: "56", type: .hardPause),
        ]
        try await alice.client.request(kinds.map { ActionRequest(callUUID: call, kind: $0) })
        // Of another transaction, in the middle of the pause: they wait for their turn.
        try await alice.client.playDTMF("78", on: call)
        let waiting = try await alice.next("keys that wait for the user") { event in
            guard case .notification(.perform(_, let action, _, _, fulfilled: false)) = event else {
                return Action?.none
            }
            return action
        }
        #expect(waiting.kind == kinds[2])
        try await bob.settle()
        _ = try await bob.next("the digits after the comma") { event in
            if case .notification(.dtmf(incoming, "34", .softPause)) = event { true } else { nil }
        }
        #expect(Self.keyed(bob.told) == ["1", "2", "34"], "the digits after the semicolon wait")
        #expect(try await alice.client.fulfill(waiting.uuid))
        _ = try await bob.next("the last digit") { event in
            if case .notification(.dtmf(incoming, "8", .singleTone)) = event { true } else { nil }
        }
        #expect(Self.keyed(bob.told) == ["1", "2", "34", "56", "7", "8"])
        #expect(Self.keyed(alice.told) == [], "a sender is not notified of its own digits")
    }
}
