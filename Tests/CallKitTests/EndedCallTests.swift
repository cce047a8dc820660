import CallKit
import CallSystem
import Dispatch
import Foundation
import HubAccountData
import HubEngine
import HubWire
import Testing

/// The reasons and entries in Recents of calls that end before they are connected.
struct EndedCallTests {
    private let hub: SimulatedHub
    private let phone: TestApp
    private let tablet: TestApp
    private let bob: CallScreen
    /// CallKit tells an app no reason: these are told what the hub knows of each device's calls.
    private let (ofPhone, ofTablet): (Operator, Operator)

    init() async throws {
        hub = try SimulatedHub()
        phone = TestApp(hub)
        tablet = TestApp(hub, on: hub.device("alice", named: "tablet"))
        bob = hub.phone("bob")
        await hub.settle()
        ofPhone = try await Operator(hub, of: "alice")
        ofTablet = try await Operator(hub, of: "alice", "tablet")
    }

    private func recents(_ app: TestApp) async throws -> [RecentCall] {
        let reply = try await app.system.send(.accountData(.listRecents(limit: nil, before: nil)))
        guard case .recents(let recents) = reply else {
            Issue.record("no Recents")
            return []
        }
        return recents.map(\.call)
    }

    @Test func `a call that one device declines is declinedElsewhere on the other, whose app performs nothing (CK-24)`()
        async throws
    {
        try await bob.start("alice")
        #expect(phone.takeObserved() == ["incoming new"] && tablet.takeObserved() == ["incoming new"])
        _ = phone.takeLog()
        try await tablet.user.decline()
        #expect(ofPhone.ended.map(\.endedReason) == [.declinedElsewhere])
        // The end is the tablet's own.
        #expect(ofTablet.ended.map(\.endedReason) == [nil])
        #expect(phone.takeObserved() == ["incoming ended"] && phone.takeLog().isEmpty)
        #expect(tablet.takeLog().last == "end" && bob.calls.isEmpty)
        #expect(try await recents(phone).map(\.outcome) == [.declined])
    }

    @Test func `a cancelled call is remoteEnded on each device, missed in Recents, and rings nowhere later (CK-25)`()
        async throws
    {
        try await bob.start("alice")
        try await bob.end()
        for screen in [ofPhone, ofTablet] { #expect(screen.ended.map(\.endedReason) == [.remoteEnded]) }
        for app in [phone, tablet] { #expect(app.takeObserved() == ["incoming new", "incoming ended"]) }
        let missed = try await recents(phone)
        #expect(missed.map(\.outcome) == [.missed] && missed.map(\.handle.value) == ["bob"])
        #expect(missed.map(\.isOutgoing) == [false] && missed.map(\.connectedAt) == [nil])
        let watch = TestApp(hub, on: hub.device("alice", named: "watch"))
        await hub.settle()
        #expect(watch.user.calls.isEmpty && watch.takeObserved().isEmpty)
    }

    @Test func `an action whose call is over before its turn is complete, and is not performed (CK-64)`() async throws {
        let call = try await phone.start("bob")
        try await bob.answer()
        let ended = EndObserver(of: call, on: phone.system)
        phone.react(to: "end", .nothing)
        phone.before("end") { _, end in
            end.fulfill()
            ended.wait()
        }
        // The hub takes both at once, so that the hold waits for the delegate to return from the end.
        await hub.cutLink(of: phone.system)
        let hold = CXSetHeldCallAction(call: call, onHold: true)
        phone.controller.requestTransaction(with: CXEndCallAction(call: call)) { _ in }
        phone.controller.requestTransaction(with: hold) { _ in }
        await hub.cutLink(of: phone.system, false)
        #expect(phone.takeLog().suffix(2) == ["end", "deactivate"])
        #expect(hold.isComplete && phone.provider.pendingTransactions.isEmpty && bob.calls.isEmpty)
    }

    @Test func `a call of the app's own network that is never connected is cancelled in Recents (CK-29)`() async throws
    {
        var settings = CallSystemSettings()
        settings.carriesOutgoingCalls = .app
        let gateway = TestApp(hub, on: hub.device("carol", settings: settings))
        let call = try await gateway.start("dave")
        gateway.provider.reportOutgoingCall(with: call, startedConnectingAt: nil)
        await hub.advance(by: .seconds(30))
        #expect(gateway.state(of: call) == .connecting)
        try await gateway.request(CXEndCallAction(call: call))
        let cancelled = try await recents(gateway)
        #expect(cancelled.map(\.outcome) == [.cancelled] && cancelled.map(\.handle.value) == ["dave"])
        #expect(cancelled.map(\.isOutgoing) == [true] && cancelled.map(\.connectedAt) == [nil])
        // One that was connected is not.
        let other = try await gateway.start("erin")
        gateway.provider.reportOutgoingCall(with: other, connectedAt: nil)
        await hub.settle()
        try await gateway.request(CXEndCallAction(call: other))
        #expect(try await recents(gateway).map(\.outcome).contains(.answered))
    }
}

/// An observer that notes the end of one call.
private final class EndObserver: NSObject, CXCallObserverDelegate, Sendable {
    private let call: UUID
    private let hasEnded = DispatchSemaphore(value: 0)
    private let observer: CXCallObserver

    init(of call: UUID, on system: CallSystem) {
        self.call = call
        observer = system.run { CXCallObserver() }
        super.init()
        observer.setDelegate(self, queue: DispatchQueue(label: "EndObserver"))
    }

    /// Blocks the thread until the call is over.
    func wait() { hasEnded.wait() }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.uuid == self.call, call.hasEnded { hasEnded.signal() }
    }
}
