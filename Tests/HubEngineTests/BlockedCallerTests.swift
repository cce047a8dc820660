import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// The notifications to a blocked caller: the same as for an unanswered call, at the same times (decision D13).
struct BlockedCallerTests {
    /// The events during a call from Alice to Bob; `bob` is nil if Bob has no device online.
    private typealias Story = @Sendable (inout SimulatedHub, _ alice: SessionID, _ bob: SessionID?) throws -> Void

    private static let stories: [(name: String, isThere: Bool, story: Story)] = [
        ("nobody answers", true, { hub, _, _ in hub.wait(.seconds(60)) }),
        ("the callee leaves", true, { hub, _, bob in bob.map { hub.handle(.sessionClosed($0)) } }),
        (
            "the callee is lost for good", true,
            { hub, _, bob in
                bob.map { hub.handle(.sessionLost($0)) }
                hub.wait(.seconds(30))
            }
        ),
        (
            "the callee gives up its provider", true,
            { hub, _, bob in _ = bob.map { hub.ask($0, .invalidate) } }
        ),
        ("a device signs in anew", true, { hub, _, _ in _ = try hub.open("bob") }),
        (
            "another device comes, both go", true,
            { hub, _, bob in
                let tablet = try hub.open("bob", device: "tablet")
                bob.map { hub.handle(.sessionClosed($0)) }
                hub.wait(.seconds(1))
                hub.handle(.sessionClosed(tablet))
            }
        ),
        ("nobody is there", false, { hub, _, _ in hub.wait(.seconds(20)) }),
        (
            "somebody comes late", false,
            { hub, _, _ in
                hub.wait(.seconds(19))
                _ = try hub.open("bob")
                hub.wait(.seconds(60))
            }
        ),
        (
            "somebody comes and goes", false,
            { hub, _, _ in
                let bob = try hub.open("bob")
                hub.wait(.seconds(5))
                hub.handle(.sessionClosed(bob))
            }
        ),
        (
            "the hub drains", true,
            { hub, _, _ in
                hub.handle(.drain(until: hub.now + .seconds(10)))
                hub.wait(.seconds(10))
            }
        ),
    ]

    private static let settings: [(name: String, requests: [AccountDataRequest])] = [
        ("blocked", [.block(.handle(.generic("alice")))]),
        ("silenced", [.setSettings(SettingsUpdate(doNotDisturb: true))]),
    ]

    @Test(arguments: stories.indices, [Duration.zero, .seconds(20)])
    func `a blocked caller receives the same notifications as any other (CK-11, CK-12, CK-13)`(
        index: Int,
        pushWait: Duration
    ) throws {
        let told = try Self.notifiedStates(Self.stories[index], pushWait, [])
        #expect(told.count > 1)
        for (name, requests) in Self.settings {
            let kept = try Self.notifiedStates(Self.stories[index], pushWait, requests)
            #expect(kept == told, "\(Self.stories[index].name), \(name)")
        }
    }

    @Test(arguments: [Duration.zero, .seconds(20)])
    func `the caller of a quiet account receives the same notifications as any other (CK-13)`(pushWait: Duration) throws
    {
        let quiet = [AccountDataRequest.setSettings(SettingsUpdate(deviceDoNotDisturb: true))]
        for story in Self.stories where story.name != "another device comes, both go" {
            let told = try Self.notifiedStates(story, pushWait, [])
            #expect(try Self.notifiedStates(story, pushWait, quiet) == told, "\(story.name)")
        }
    }

    /// Returns the states of Alice's call that she is notified of, with their dates.
    private static func notifiedStates(
        _ story: (name: String, isThere: Bool, story: Story),
        _ pushWait: Duration,
        _ requests: [AccountDataRequest]
    ) throws -> [ComparedSnapshot] {
        var configuration = EngineConfiguration(seed: 1)
        configuration.pushWait = pushWait
        configuration.resumeGrace = .seconds(30)
        var hub = SimulatedHub(configuration)
        hub.knownAccounts.insert("bob")
        for request in requests { try hub.changeAccountData("bob", request) }
        let alice = try hub.open("alice")
        let bob = story.isThere ? try hub.open("bob") : nil
        let call = hub.start(alice, to: "bob")
        try story.story(&hub, alice, bob)
        hub.wait(.seconds(200))
        #expect(hub.violations == [])
        return (hub.inbox[alice] ?? []).compactMap { notification in
            guard case .callChanged(let snapshot) = notification, snapshot.uuid == call else { return nil }
            return ComparedSnapshot(snapshot)
        }
    }

    /// The compared fields of a call's snapshot: none with an identifier made by the hub.
    private struct ComparedSnapshot: Hashable {
        var state: CallSnapshot.State
        var isDecoyRinging: Bool
        var reason: EndReason?
        var cause: EndCause?
        var dates: [Instant?]

        init(_ call: CallSnapshot) {
            state = call.state
            isDecoyRinging = call.remoteIsRinging
            (reason, cause) = (call.endedReason, call.cause)
            dates = [call.startedAt, call.startedConnectingAt, call.connectedAt, call.endedAt]
        }
    }
}
