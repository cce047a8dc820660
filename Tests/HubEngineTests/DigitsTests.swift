import HubEngine
import HubSimulation
import Testing

/// The transmission of DTMF digits, one tone after another as keyed (callkit-semantics.md 2.3; rows CK-54 to CK-56).
struct DigitsTests {
    private func call(
        _ fulfillment: Fulfillment = .automatic
    ) throws -> (hub: SimulatedHub, alice: SessionID, bob: SessionID, call: CallUUID) {
        var hub = SimulatedHub()
        let alice = try hub.open("alice", fulfillment: fulfillment)
        let bob = try hub.open("bob")
        let call = hub.start(alice, to: "bob")
        if let start = hub.actionToPerform(alice) { hub.ask(alice, .fulfill(start.uuid, date: nil)) }
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        _ = hub.read(alice)
        _ = hub.read(bob)
        return (hub, alice, bob, call)
    }

    private func heard(_ hub: SimulatedHub, _ session: SessionID) -> [String] {
        (hub.inbox[session] ?? []).compactMap { notification in
            if case .dtmf(_, let digits, _) = notification { digits } else { nil }
        }
    }

    @Test func `a string of digits is one action per digit, in order (CK-54)`() throws {
        var (hub, alice, bob, call) = try call()
        #expect(hub.request(alice, call, .playDTMF(digits: "12#", type: .singleTone)) == nil)
        let taps = ["1", "2", "#"].map { ActionKind.playDTMF(digits: $0, type: .singleTone) }
        #expect(hub.performed(alice).map(\.0) == taps)
        #expect(heard(hub, bob) == ["1", "2", "#"])
    }

    @Test
    func `the next digit is performed after the previous one is fulfilled, even from another transaction (CK-54)`()
        throws
    {
        var (hub, alice, bob, call) = try call(.manual)
        hub.request(alice, call, .playDTMF(digits: "12", type: .singleTone))
        hub.request(alice, call, .playDTMF(digits: "3", type: .singleTone))
        var performed: [String] = []
        for _ in 0..<3 {
            #expect(hub.performed(alice).count == performed.count + 1)
            let action = try #require(hub.actionToPerform(alice))
            guard case .playDTMF(let digits, _) = action.kind else { continue }
            performed.append(digits)
            hub.ask(alice, .fulfill(action.uuid, date: nil))
        }
        #expect(performed == ["1", "2", "3"])
        #expect(heard(hub, bob) == ["1", "2", "3"])
    }

    @Test func `after a digit times out or fails, the next one is performed`() throws {
        var (hub, alice, bob, call) = try call(.manual)
        hub.request(alice, call, .playDTMF(digits: "1", type: .singleTone))
        hub.request(alice, call, .playDTMF(digits: "2", type: .singleTone))
        hub.wait(.seconds(5))
        #expect(hub.performed(alice).count == 2)
        hub.ask(alice, .fulfill(try #require(hub.actionToPerform(alice)).uuid, date: nil))
        #expect(heard(hub, bob) == ["2"])
    }

    @Test func `the digits after a comma wait two seconds (CK-55)`() throws {
        var (hub, alice, bob, call) = try call()
        hub.request(
            alice,
            [(call, .playDTMF(digits: "1", type: .singleTone)), (call, .playDTMF(digits: "234", type: .softPause))]
        )
        #expect(heard(hub, bob) == ["1"])
        hub.wait(.milliseconds(1_999))
        #expect(hub.performed(alice).count == 1)
        hub.wait(.milliseconds(1))
        #expect(heard(hub, bob) == ["1", "234"])
        #expect(hub.engine.objectCounts.deadlines == 0)
    }

    @Test func `the digits after a semicolon wait until the user continues or cancels (CK-55)`() throws {
        for isPlayed in [true, false] {
            var (hub, alice, bob, call) = try call()
            hub.request(alice, call, .playDTMF(digits: "55", type: .hardPause))
            hub.wait(.seconds(300))
            #expect(heard(hub, bob) == [])
            let action = try #require(hub.actionToPerform(alice), "an automatic client has to say when, too")
            hub.ask(alice, isPlayed ? .fulfill(action.uuid, date: nil) : .fail(action.uuid))
            #expect(heard(hub, bob) == (isPlayed ? ["55"] : []))
        }
    }

    @Test func `a hold discards waiting digits`() throws {
        var (hub, alice, bob, call) = try call()
        hub.request(alice, call, .playDTMF(digits: "9", type: .softPause))
        hub.request(alice, call, .setHeld(true))
        hub.wait(.seconds(3))
        #expect(heard(hub, bob) == [])
        #expect(hub.engine.objectCounts.deadlines == 0)
    }

    @Test func `invalid digits, or digits without a receiving party, are refused (CK-56)`() throws {
        var (hub, alice, bob, call) = try call()
        for digits in ["", "12x", " ", String(repeating: "1", count: 65)] {
            let refusal = hub.request(alice, call, .playDTMF(digits: digits, type: .singleTone))
            #expect(refusal == .requestTransaction(.invalidAction), "\(digits)")
        }
        var update = CallUpdate()
        update.supportsDTMF = false
        hub.ask(alice, .reportCall(call, update))
        let refusal = hub.request(alice, call, .playDTMF(digits: "1", type: .singleTone))
        #expect(refusal == .requestTransaction(.invalidAction))
        #expect(heard(hub, bob) == [])
    }
}
