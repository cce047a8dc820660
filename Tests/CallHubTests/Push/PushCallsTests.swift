import HubEngine
import Testing

@testable import HubAccounts
@testable import HubServer

/// The push messages of one call.
struct PushCallsTests {
    @Test func `an endpoint receives one push per call, however often the call is reported`() {
        let calls = PushCalls()
        let name = PushCalls.CallKey(account: "bob", call: CallUUID(high: 1, low: 2))
        var sent: [String] = []
        func send(to endpoint: String) {
            calls.send(name, to: endpoint) {
                sent.append(endpoint)
                return PushSender.SubmissionID(id: UInt64(sent.count))
            }
        }
        calls.begin(name)
        for endpoint in ["desk", "mobile", "desk"] { send(to: endpoint) }
        calls.noteAllQueued(name)
        calls.begin(name)
        for endpoint in ["desk", "tablet"] { send(to: endpoint) }
        #expect(sent == ["desk", "mobile", "tablet"])
        #expect(calls.end(name, isMissed: true).inFlight.count == 3)
        send(to: "late")
        #expect(sent.count == 3)
    }
}
