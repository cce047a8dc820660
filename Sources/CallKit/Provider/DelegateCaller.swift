import AVFAudio
import CallSystem
import Dispatch
import Foundation
import HubEngine

/// Calls a provider's delegate for the call system.
final class DelegateCaller: ProviderClient {
    private struct State {
        weak var provider: CXProvider?
        weak var delegate: (any CXProviderDelegate)?
        var queue: DispatchQueue?
    }

    private let state = Locked(State())
    private let audio: AVAudioSession

    init(_ audio: AVAudioSession) {
        self.audio = audio
    }

    func setProvider(_ provider: CXProvider) {
        state.withLock { $0.provider = provider }
    }

    func setDelegate(_ delegate: (any CXProviderDelegate)?, _ queue: DispatchQueue?) {
        // Released outside of the lock: its own end may come here.
        let former = state.withLock { state in
            defer { (state.delegate, state.queue) = (delegate, delegate == nil ? nil : queue ?? .main) }
            return state.delegate
        }
        _ = former
    }

    /// The delegate's queue; nil: there is no delegate.
    var queue: DispatchQueue? { state.withLock { $0.queue } }

    private func call(_ body: (any CXProviderDelegate, CXProvider) -> Void) {
        let (delegate, provider) = state.withLock { ($0.delegate, $0.provider) }
        if let delegate, let provider { body(delegate, provider) }
    }

    /// Calls a closure while the delegate lives.
    ///
    /// - Returns: False if there is no delegate.
    func receive(_ callback: (any ProviderClient) -> Void) -> Bool {
        let (delegate, provider) = state.withLock { ($0.delegate, $0.provider) }
        // Without its provider nobody can set another delegate.
        guard delegate != nil || provider == nil else { return false }
        withExtendedLifetime((delegate, provider)) { callback(self) }
        return true
    }

    // MARK: Objects

    func makeAction(_ action: Action) -> (any PerformableAction)? { CXAction.make(action) }

    func makeTransaction(_ id: UUID, _ actions: [any PerformableAction]) -> any PerformableTransaction {
        CXTransaction(uuid: id, actions.compactMap { $0 as? CXAction })
    }

    // MARK: Callbacks

    func didBegin() {
        call { $0.providerDidBegin($1) }
    }

    func didReset() {
        call { $0.providerDidReset($1) }
    }

    func execute(_ transaction: any PerformableTransaction) -> Bool {
        var isHandled = false
        guard let transaction = transaction as? CXTransaction else { return false }
        call { isHandled = $0.provider($1, execute: transaction) }
        return isHandled
    }

    func perform(_ action: any PerformableAction) -> Bool {
        guard let action = action as? CXAction else { return false }
        var isHandled = false
        call { delegate, provider in
            isHandled = action.isHandled {
                switch action {
                case let action as CXStartCallAction: delegate.provider(provider, perform: action)
                case let action as CXAnswerCallAction: delegate.provider(provider, perform: action)
                case let action as CXEndCallAction: delegate.provider(provider, perform: action)
                case let action as CXSetHeldCallAction: delegate.provider(provider, perform: action)
                case let action as CXSetMutedCallAction: delegate.provider(provider, perform: action)
                case let action as CXSetGroupCallAction: delegate.provider(provider, perform: action)
                case let action as CXPlayDTMFCallAction: delegate.provider(provider, perform: action)
                case let action as CXSetTranslatingCallAction: delegate.provider(provider, perform: action)
                default: action.markUnhandled()
                }
            }
        }
        return isHandled
    }

    func timedOut(_ action: any PerformableAction) {
        guard let action = action as? CXAction else { return }
        call { $0.provider($1, timedOutPerforming: action) }
    }

    func didActivateAudio() {
        audio.setActiveBySystem(true)
        call { $0.provider($1, didActivate: audio) }
    }

    func didDeactivateAudio() {
        audio.setActiveBySystem(false)
        call { $0.provider($1, didDeactivate: audio) }
    }
}
