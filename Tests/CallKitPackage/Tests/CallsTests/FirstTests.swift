import CallSystem
import Testing

@testable import Calls

@MainActor
struct FirstTests {
    @Test func `a second call holds the first one, and the user swaps them`() async throws {
        let hub = try SimulatedHub()
        let device = hub.device("alice")
        let manager = device.run { CallManager() }  // the app's own classes, on that device
        let provider = device.run { ProviderDelegate(manager: manager) }
        let (bob, carol) = (hub.phone("bob"), hub.phone("carol"))
        manager.startCall(to: "bob")  // the app's own method
        await hub.settle()
        try await bob.answer()
        manager.startCall(to: "carol")
        await hub.settle()
        try await carol.answer()
        #expect(manager.calls.map(\.state) == [.held, .active])
        try await device.user.swap()  // a button of the system's call screen
        #expect(manager.calls.map(\.state) == [.active, .held] && provider.audio.isRunning)
        await hub.advance(by: .seconds(60))  // a minute in no time
        #expect(bob.calls.map(\.state) == [.connected])
    }
}
