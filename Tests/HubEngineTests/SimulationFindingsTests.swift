import HubEngine
import HubSimulation
import Testing

/// What `make simulate` has found, each as short as it was shrunk to.
struct SimulationFindingsTests {
    var hub = SimulatedHub()

    @Test mutating func `the caller is told that it rings no more when the callee answers`() throws {
        let alice = try hub.open("alice")
        let bob = try hub.open("bob", fulfillment: .manual)
        let outgoing = hub.start(alice, to: "bob")
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        let incoming = try #require(hub.ringing(bob)?.uuid)
        hub.request(bob, incoming, .answer)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == false)
        #expect(hub.last(outgoing, on: alice) == hub.calls(alice).first)
    }
}
