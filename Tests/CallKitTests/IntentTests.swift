import CallKit
import CallSystem
import Foundation
import HubAccountData
import HubEngine
import HubWire
import Intents
import Testing

/// Calls that begin outside of the app: in Recents, at a contact.
struct IntentTests {
    /// A request to start a call, as samples make it from the activity that an app is given.
    private func handle(from activity: NSUserActivity) -> CXHandle? {
        let contacts: [INPerson]?
        switch activity.interaction?.intent {
        case let intent as INStartCallIntent: contacts = intent.contacts
        case let intent as INStartAudioCallIntent: contacts = intent.contacts
        case let intent as INStartVideoCallIntent: contacts = intent.contacts
        default: contacts = nil
        }
        guard let handle = contacts?.first?.personHandle, let value = handle.value else { return nil }
        switch handle.type {
        case .phoneNumber: return CXHandle(type: .phoneNumber, value: value)
        case .emailAddress: return CXHandle(type: .emailAddress, value: value)
        case .unknown: return CXHandle(type: .generic, value: value)
        }
    }

    private func person(_ value: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: value, type: .unknown),
            nameComponents: nil,
            displayName: "Bob",
            image: nil,
            contactIdentifier: nil,
            customIdentifier: nil
        )
    }

    @Test func `an activity with an intent to call starts a call (CK-72)`() async throws {
        let hub = try SimulatedHub()
        let app = TestApp(hub)
        let bob = hub.phone("bob")
        let intent = INStartCallIntent(
            audioRoute: .unknown,
            destinationType: .normal,
            contacts: [person("bob")],
            recordTypeForRedialing: .unknown,
            callCapability: .audioCall
        )
        let activity = app.user.activity(for: INInteraction(intent: intent, response: nil))
        #expect(activity.activityType == "INStartCallIntent")
        let callee = try #require(handle(from: activity))
        try await app.request(CXStartCallAction(call: UUID(), handle: callee))
        #expect(bob.calls.map(\.state) == [.ringing])
    }

    private static let links: [(link: String, type: CXHandle.HandleType, value: String)] = [
        ("callhub:bob", .generic, "bob"),
        ("callhub://bob", .generic, "bob"),
        ("callhub:bob%20smith", .generic, "bob smith"),
        ("CALLHUB:phoneNumber:%2B493012345", .phoneNumber, "+493012345"),
        ("tel:+493012345", .phoneNumber, "+493012345"),
        ("tel:%2B493012345;ext=7", .phoneNumber, "+493012345"),
        ("tel:+493012345#call=mallory", .phoneNumber, "+493012345"),
        ("mailto:bob@example.org?subject=Hello", .emailAddress, "bob@example.org"),
    ]

    @Test(arguments: links.indices) func `a link to call is an activity with an intent (CK-72, CK-73)`(index: Int)
        throws
    {
        let (link, type, value) = Self.links[index]
        let user = try SimulatedHub().device("alice").user
        let activity = user.activity(for: try #require(URL(string: link)), isVideo: true)
        #expect(activity?.activityType == "INStartCallIntent")
        let intent = activity?.interaction?.intent as? INStartCallIntent
        #expect(intent?.callCapability == .videoCall)
        let called = self.handle(from: try #require(activity))
        #expect(called?.type == type && called?.value == value)
    }

    @Test(arguments: ["monkeycall:bob", "https://bob", "sip:bob", "callhub:", "tel:", "callhub:sip:bob", "bob"])
    func `another link, or one without a handle, is no activity of a call (CK-73)`(link: String) throws {
        let user = try SimulatedHub().device("alice").user
        #expect(user.activity(for: try #require(URL(string: link))) == nil)
    }

    @Test func `a tap in Recents or at a contact is an activity that the app continues (CK-71, CK-72)`() async throws {
        let hub = try SimulatedHub()
        let app = TestApp(hub)
        let bob = hub.phone("bob")
        try await bob.start("alice")
        try await bob.end()
        let missed = try #require(try await app.user.recents().first)
        #expect(missed.isMissed && !missed.isOutgoing)
        let redial = try #require(app.user.activity(for: missed))
        let intent = try #require(redial.interaction?.intent as? INStartCallIntent)
        #expect(intent.recordTypeForRedialing == .missed && intent.callCapability == .audioCall)
        #expect(intent.contacts?.first?.displayName == missed.name)
        try await app.request(CXStartCallAction(call: UUID(), handle: try #require(handle(from: redial))))
        #expect(bob.calls.map(\.state) == [.ringing])
        try await bob.decline()

        let contact = Contact(identifier: "b1", name: "Bob Smith", handles: [.generic("robert"), .generic("bob")])
        _ = try await app.system.send(.accountData(.putContact(contact)))
        let stored = try #require(try await app.user.contacts().first)
        let tap = try #require(app.user.activity(for: stored, at: stored.handles.last))
        let person = (tap.interaction?.intent as? INStartCallIntent)?.contacts?.first
        #expect(person?.displayName == "Bob Smith" && person?.contactIdentifier == "b1")
        #expect(handle(from: tap)?.value == "bob")
        #expect(handle(from: try #require(app.user.activity(for: stored)))?.value == "robert")
    }

    @Test func `older intents have the same people, and an activity without one has none`() throws {
        let user = try SimulatedHub().device("alice").user
        let audio = INInteraction(intent: INStartAudioCallIntent(contacts: [person("bob")]), response: nil)
        let video = INInteraction(intent: INStartVideoCallIntent(contacts: [person("bob")]), response: nil)
        #expect(user.activity(for: audio).activityType == INStartAudioCallIntentIdentifier)
        #expect(user.activity(for: video).activityType == INStartVideoCallIntentIdentifier)
        for interaction in [audio, video] {
            #expect(handle(from: user.activity(for: interaction))?.value == "bob")
        }
        #expect(handle(from: NSUserActivity(activityType: "other")) == nil)
    }
}
