import CallKit
import Foundation
import Intents

/// A call that the user wants outside of the app: by Recents, a contact or a link.
struct StartCallRequest {
    var handle: String
    var type: CXHandle.HandleType
    var isVideo = false

    init?(activity: NSUserActivity) {
        let contacts: [INPerson]?
        switch activity.interaction?.intent {
        case let intent as INStartCallIntent:
            contacts = intent.contacts
            isVideo = intent.callCapability == .videoCall
        case let intent as INStartAudioCallIntent:
            contacts = intent.contacts
        case let intent as INStartVideoCallIntent:
            contacts = intent.contacts
            isVideo = true
        default:
            return nil
        }
        guard let person = contacts?.first?.personHandle, let value = person.value else { return nil }
        handle = value
        switch person.type {
        case .phoneNumber: type = .phoneNumber
        case .emailAddress: type = .emailAddress
        default: type = .generic
        }
    }

    init?(url: URL) {
        // `calls://bob`, `tel:1111`
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        handle = url.host ?? parts?.path ?? ""
        type = url.scheme == "tel" ? .phoneNumber : .generic
        guard let scheme = url.scheme, ["calls", "tel"].contains(scheme), !handle.isEmpty else { return nil }
    }
}
