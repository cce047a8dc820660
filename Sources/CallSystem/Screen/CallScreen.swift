public import Foundation
import HubEngine

/// The system's call screen: the actions of the device's user, and the calls that they see.
///
/// An action returns when the system has accepted it, and in a simulation when the app has returned from the callbacks
/// that it causes. It throws ``CallSystemError`` if it is not possible.
public struct CallScreen: Sendable {
    package let system: CallSystem

    /// The present calls, in the order in which they came.
    public var calls: [ScreenCall] { system.read { $0.screenCalls } }

    /// Calls somebody.
    ///
    /// - Parameters:
    ///   - value: The value of the handle.
    ///   - type: The type of the handle.
    ///   - isVideo: True for a call with video.
    /// - Returns: The UUID of the call.
    /// - Throws: `CallSystemError` if the call is not possible.
    @discardableResult
    public func start(
        _ value: String,
        _ type: HandleType = .generic,
        isVideo: Bool = false
    ) async throws(CallSystemError) -> UUID {
        let call = UUID()
        let handle = Handle(type: type.engineType, value: value)
        try await request { _ in
            let kind = ActionKind.start(handle: handle, isVideo: isVideo, contactIdentifier: nil)
            return [ActionRequest(callUUID: CallUUID(call), kind: kind)]
        }
        return call
    }

    /// The types of handles.
    public enum HandleType: Hashable, Sendable, CaseIterable {
        /// A name that the application defines.
        case generic
        /// A telephone number.
        case phoneNumber
        /// An e-mail address.
        case emailAddress

        var engineType: Handle.HandleType {
            switch self {
            case .generic: .generic
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        }
    }

    /// Answers a call; another active one is held or, if that is not possible, ended.
    ///
    /// - Parameter call: The ringing call; nil: the first one that rings.
    /// - Throws: `CallSystemError` if it is not possible.
    public func answer(_ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .ringing).uuid, kind: .answer)]
        }
    }

    /// Taps one of the buttons of a ringing call.
    ///
    /// - Parameters:
    ///   - choice: The button, one of the call's `choices`.
    ///   - call: The ringing call; nil: the first one that rings.
    /// - Throws: `CallSystemError` if the call has no such button.
    public func choose(_ choice: ScreenCall.Choice, _ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            let choices = try core.call(call, .ringing).snapshot?.choices ?? []
            guard let chosen = choices.first(where: { $0.name.rawValue == choice.rawValue }) else {
                let names = choices.map(\.name.rawValue).joined(separator: ", ")
                throw CallSystemError(.invalidAction, "The call has no choice \(choice.rawValue), but these: \(names).")
            }
            return chosen.actions
        }
    }

    /// Declines a ringing call.
    ///
    /// - Parameter call: The ringing call; nil: the first one that rings.
    /// - Throws: `CallSystemError` if it is not possible.
    public func decline(_ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .ringing).uuid, kind: .end)]
        }
    }

    /// Hangs up.
    ///
    /// - Parameter call: The call; nil: the one that is connected, else the first one.
    /// - Throws: `CallSystemError` if there is none.
    public func end(_ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .end)]
        }
    }

    /// Holds a call.
    ///
    /// - Parameter call: The call; nil: the connected one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func hold(_ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .setHeld(true))]
        }
    }

    /// Resumes a held call; another active one is held.
    ///
    /// - Parameter call: The call; nil: the first one that is held.
    /// - Throws: `CallSystemError` if it is not possible.
    public func resume(_ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .held).uuid, kind: .setHeld(false))]
        }
    }

    /// Holds one call and resumes another one, in one transaction.
    ///
    /// - Parameters:
    ///   - call: The call to hold; nil: the connected one.
    ///   - other: The call to resume; nil: the held one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func swap(_ call: UUID? = nil, with other: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [
                ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .setHeld(true)),
                ActionRequest(callUUID: try core.call(other, .held).uuid, kind: .setHeld(false)),
            ]
        }
    }

    /// Mutes the user on a call, or unmutes them.
    ///
    /// - Parameters:
    ///   - isMuted: True to mute.
    ///   - call: The call; nil: the connected one.
    /// - Throws: `CallSystemError` if there is no call.
    public func mute(_ isMuted: Bool = true, _ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .setMuted(isMuted))]
        }
    }

    /// Merges two calls.
    ///
    /// - Parameters:
    ///   - call: The call that joins the other one; nil: the held one.
    ///   - other: The other call; nil: the connected one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func merge(_ call: UUID? = nil, with other: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            let other = try core.call(other, .connected).uuid
            return [ActionRequest(callUUID: try core.call(call, .held).uuid, kind: .setGroup(with: other))]
        }
    }

    /// Connects the held call's other party with the connected one's, and leaves both calls.
    ///
    /// CallKit has no action for it: the system performs it, and the app is asked to end the calls.
    ///
    /// - Parameters:
    ///   - call: One of the two calls; nil: the held one.
    ///   - other: The other one; nil: the connected one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func transfer(_ call: UUID? = nil, to other: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            let other = try core.call(other, .connected).uuid
            return [ActionRequest(callUUID: try core.call(call, .held).uuid, kind: .transfer(to: .call(other)))]
        }
    }

    /// Gives the connected call's other party to the owner of a handle; if they do not take it, it rings again.
    ///
    /// - Parameters:
    ///   - call: The call; nil: the connected one.
    ///   - value: The value of the handle.
    ///   - type: The type of the handle.
    /// - Throws: `CallSystemError` if it is not possible.
    public func transfer(
        _ call: UUID? = nil,
        to value: String,
        _ type: HandleType = .generic
    ) async throws(CallSystemError) {
        let handle = Handle(type: type.engineType, value: value)
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .transfer(to: .handle(handle)))]
        }
    }

    /// Takes a call out of its group, to talk in private.
    ///
    /// - Parameter call: The call.
    /// - Throws: `CallSystemError` if it is not possible.
    public func split(_ call: UUID) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            [ActionRequest(callUUID: try core.call(call, .connected).uuid, kind: .setGroup(with: nil))]
        }
    }

    /// Presses keys of the keypad.
    ///
    /// - Parameters:
    ///   - digits: The keys: `0` to `9`, `*`, `#`, `A` to `D`.
    ///   - call: The call; nil: the connected one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func keypad(_ digits: String, _ call: UUID? = nil) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            let call = try core.call(call, .connected).uuid
            return [ActionRequest(callUUID: call, kind: .playDTMF(digits: digits, type: .singleTone))]
        }
    }

    /// Asks the app to translate a call, or to stop.
    ///
    /// - Parameters:
    ///   - isTranslating: True to translate.
    ///   - local: The language of the device's user, as in `en`.
    ///   - remote: The language of the other party.
    ///   - call: The call; nil: the connected one.
    /// - Throws: `CallSystemError` if it is not possible.
    public func translate(
        _ isTranslating: Bool,
        from local: String,
        to remote: String,
        _ call: UUID? = nil
    ) async throws(CallSystemError) {
        try await request { core throws(CallSystemError) in
            let call = try core.call(call, .connected).uuid
            let kind = ActionKind.setTranslating(isTranslating, localLanguage: local, remoteLanguage: remote)
            return [ActionRequest(callUUID: call, kind: kind)]
        }
    }

    private func request(
        _ actions: @escaping @Sendable (SystemCore) throws(CallSystemError) -> [ActionRequest]
    ) async throws(CallSystemError) {
        let error = await withCheckedContinuation { (done: CheckedContinuation<CallSystemError?, Never>) in
            system.post { core in
                do throws(CallSystemError) {
                    core.request(try actions(core)) { done.resume(returning: $0) }
                } catch {
                    done.resume(returning: error)
                }
            }
        }
        if let error { throw error }
        await system.activity.settle()
    }
}

extension CallSystem {
    /// The system's call screen, for the device's user.
    public var user: CallScreen { CallScreen(system: self) }
}

extension SystemCore {
    /// The calls on the screen.
    var screenCalls: [ScreenCall] { shownCalls.compactMap { ScreenCall($0, among: calls) } }

    /// The calls that the hub has notified of, and that wait for no report of the app.
    private var shownCalls: [CallRecord] { calls.filter { $0.snapshot != nil && !$0.isAnnounced } }

    /// Returns the call with the app's UUID, or else the first one in a state, or else of any state.
    fileprivate func call(
        _ uuid: UUID?,
        _ state: CallSnapshot.State
    ) throws(CallSystemError) -> CallRecord {
        if let uuid {
            if let call = calls.first(where: { $0.appUUID.uuid == uuid }) { return call }
            throw CallSystemError(.unknownCallUUID, "There is no call \(uuid).")
        }
        let shown = shownCalls
        let isActive = state == .connected
        if let call = shown.first(where: { $0.snapshot?.state == state }) ?? (isActive ? shown.first : nil) {
            return call
        }
        throw CallSystemError(.unknownCallUUID, "There is no call that is \(state.rawValue).")
    }
}
