import CallKit
import Foundation
import Intents

/// A call that the user wants outside of the app: by a link `monkeycall:bob`, or by an intent.
struct StartCallRequest {
    static let scheme = "monkeycall"

    let handle: CXHandle

    init?(link: URL) {
        let parts = URLComponents(url: link, resolvingAgainstBaseURL: false)
        // `monkeycall:bob` has a path, `monkeycall://bob` a host.
        guard link.scheme == Self.scheme, let name = parts?.host ?? parts?.path, !name.isEmpty else { return nil }
        handle = CXHandle(type: .generic, value: name)
    }

    init?(activity: NSUserActivity) {
        let contacts: [INPerson]?
        switch activity.interaction?.intent {
        case let intent as INStartCallIntent: contacts = intent.contacts
        case let intent as INStartAudioCallIntent: contacts = intent.contacts
        case let intent as INStartVideoCallIntent: contacts = intent.contacts
        default: contacts = nil
        }
        guard let person = contacts?.first?.personHandle, let value = person.value else { return nil }
        handle = CXHandle(type: person.type == .phoneNumber ? .phoneNumber : .generic, value: value)
    }
}
