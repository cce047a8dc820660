import CallKit
import CallSystem
import Foundation
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
