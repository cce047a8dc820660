public import Foundation
import HubEngine

/// A call as the system's call screen shows it to the device's user.
public struct ScreenCall: Hashable, Sendable {
    /// The stages of a call.
    public enum State: String, Hashable, Sendable {
        /// Requested; the app has not yet fulfilled the start.
        case starting
        /// The other party is being reached, or the app has not yet fulfilled the answer.
        case connecting
        /// An incoming call rings.
        case ringing
        /// The call is connected.
        case connected
        /// The call is connected, and the user holds it.
        case held
    }

    /// The buttons of an incoming call.
    public enum Choice: String, Hashable, Sendable {
        /// Answer; no other call is in the way.
        case accept
        /// Do not answer.
        case decline
        /// Hold the active call, then answer.
        case holdAndAccept
        /// End the active call, then answer.
        case endAndAccept
        /// End the held call, hold the active one, then answer.
        case endHeldAndAccept
    }

    /// The programs that translate calls.
    public enum TranslationEngine: String, Hashable, Sendable {
        /// The system's own.
        case `default`
        /// One that the app brings.
        case custom
    }

    /// The call's UUID, as the app knows it.
    public var uuid: UUID
    /// The stage of the call.
    public var state: State
    /// The name of the other party: the app's, or else the hub's; `Unknown` for a caller without a handle.
    public var name: String
    /// The title of the call directory that the name is from, such as "Acme Caller ID"; nil: it is from elsewhere.
    public var directoryTitle: String?
    /// The value of the other party's handle.
    public var handle: String
    /// True if the device's user has placed the call.
    public var isOutgoing: Bool
    /// True while the other party does not receive the user's audio.
    public var isMuted: Bool
    /// True while the other party holds the call.
    public var isHeldByOther: Bool
    /// True if the call has video.
    public var hasVideo: Bool
    /// True while the app translates the call.
    public var isTranslating: Bool
    /// The program that translates the call; nil: none, or the app has not said which one.
    public var translationEngine: TranslationEngine?
    /// The UUIDs of all calls of the same group, this one included; empty: it is in none.
    public var group: Set<UUID>
    /// The buttons while the call rings.
    public var choices: [Choice]
}

extension ScreenCall {
    /// Makes the screen's entry of a call; nil: the hub has not notified of it.
    init?(_ call: CallRecord, among calls: [CallRecord]) {
        guard let snapshot = call.snapshot, let state = State(rawValue: snapshot.state.rawValue) else { return nil }
        uuid = call.appUUID.uuid
        self.state = state
        name = call.displayName ?? (snapshot.nameSource == .hidden ? "Unknown" : snapshot.localizedCallerName)
        directoryTitle = call.displayName == nil ? snapshot.directoryTitle : nil
        handle = snapshot.remoteHandle.value
        isOutgoing = snapshot.isOutgoing
        isMuted = snapshot.isMuted
        isHeldByOther = snapshot.remoteIsOnHold
        hasVideo = snapshot.hasVideo
        isTranslating = snapshot.isTranslating
        translationEngine = snapshot.translationEngine.flatMap { TranslationEngine(rawValue: $0.rawValue) }
        group = []
        if let own = snapshot.group {
            group = Set(calls.filter { $0.snapshot?.group == own }.map(\.appUUID.uuid))
        }
        choices = snapshot.choices.compactMap { Choice(rawValue: $0.name.rawValue) }
    }
}
