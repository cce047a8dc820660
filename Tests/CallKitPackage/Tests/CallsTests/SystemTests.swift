import CallKit
import CallSystem
import Foundation
import Intents
import Testing

@testable import Calls

@MainActor
struct SystemTests {
    @Test func `a call in Recents, of a contact or of a link starts the app's call`() async throws {
        let fixture = try await Fixture()
        let intent = INStartCallIntent(
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [fixture.person("bob")],
            recordTypeForRedialing: .unknown,
            callCapability: .audioCall
        )
        let activity = fixture.user.activity(for: INInteraction(intent: intent, response: nil))
        #expect(fixture.app.resume(activity))
        await fixture.hub.settle()
        #expect(fixture.bob.calls.map(\.state) == [.ringing])
        #expect(fixture.device.run { fixture.app.open("calls://carol") })
        await fixture.hub.settle()
        #expect(fixture.carol.calls.map(\.state) == [.ringing])
        #expect(StartCallRequest(url: try #require(URL(string: "tel:1111")))?.handle == "1111")
        #expect(!fixture.app.open("mailto:bob"))
    }

    @Test func `the directory blocks one caller and labels another one`() async throws {
        let fixture = try await Fixture()
        fixture.device.installCallDirectory(CallDirectoryHandler.identifier) { CallDirectoryHandler() }
        let manager = fixture.device.run { CXCallDirectoryManager.sharedInstance }
        // The second load is an incremental one.
        for _ in 1...2 { try await manager.reloadExtension(withIdentifier: CallDirectoryHandler.identifier) }
        var failure: Error?
        fixture.app.provider.reportIncomingCall(uuid: UUID(), handle: "1234", type: .phoneNumber) { failure = $0 }
        await fixture.hub.settle()
        #expect((failure as? CXErrorCodeIncomingCallError)?.code == .filteredByBlockList && fixture.calls.isEmpty)
        fixture.app.provider.reportIncomingCall(uuid: UUID(), handle: "1111", type: .phoneNumber)
        await fixture.hub.settle()
        #expect(fixture.user.calls.first?.name.contains("Telemarketer") == true && fixture.calls.count == 1)
    }

    @Test func `a reset of the system ends all calls`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        await fixture.hub.restart()
        #expect(call.state == .ended && fixture.calls.isEmpty && !fixture.isAudioRunning)
        // And the app goes on.
        _ = try await fixture.talk(to: fixture.bob, "bob")
        #expect(fixture.states == [.active])
    }

    @Test func `a short loss of the network does not end the call`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        await fixture.hub.cutLink(of: fixture.device)
        await fixture.hub.advance(by: .seconds(5))
        await fixture.hub.cutLink(of: fixture.device, false)
        #expect(call.state == .active && fixture.bob.calls.map(\.state) == [.connected])
    }

    @Test func `an app with a network of its own reports the progress and the end of its calls`() async throws {
        var settings = CallSystemSettings()
        settings.carriesOutgoingCalls = .app
        let fixture = try await Fixture(settings: settings)
        await fixture.act { $0.startCall(to: "friend") }
        let call = try #require(fixture.calls.first)
        #expect(fixture.user.calls.map(\.state) == [.connecting])
        fixture.app.provider.reportConnected(call)
        await fixture.hub.settle()
        #expect(fixture.user.calls.map(\.state) == [.connected] && fixture.isAudioRunning && call.connectedAt != nil)
        fixture.app.provider.reportEnded(call, reason: .remoteEnded)
        await fixture.hub.settle()
        #expect(fixture.user.calls.isEmpty && fixture.calls.isEmpty)
    }

    @Test func `a second report of the same call is refused`() async throws {
        let fixture = try await Fixture()
        try await fixture.bob.start("alice")
        let call = try #require(fixture.calls.first)
        var failure: Error?
        fixture.app.provider.reportIncomingCall(uuid: call.uuid, handle: "bob") { failure = $0 }
        await fixture.hub.settle()
        #expect((failure as? CXErrorCodeIncomingCallError)?.code == .callUUIDAlreadyExists && fixture.calls.count == 1)
    }

    @Test func `a button for a call that is over is refused`() async throws {
        let fixture = try await Fixture()
        let call = try await fixture.talk(to: fixture.bob, "bob")
        try await fixture.bob.end()
        await fixture.act { $0.end(call) }
        #expect(fixture.refusal == .unknownCallUUID)
    }
}
