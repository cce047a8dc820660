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
        var delegateID: ObjectIdentifier?
        var queue: DispatchQueue?
        /// Indicates that the delegate has no method of its own that takes transactions.
        var leavesTransactions = false
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
            let former = state.delegate
            if delegate == nil || former !== delegate { state.leavesTransactions = false }
            (state.delegate, state.delegateID) = (delegate, delegate.map { ObjectIdentifier($0) })
            state.queue = delegate == nil ? nil : queue ?? .main
            return former
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

    // MARK: Offers of transactions

    var leavesTransactions: Bool { state.withLock { $0.leavesTransactions } }

    /// Notes that an object has no method of its own that takes transactions.
    ///
    /// A delegate may pass an offer on to another object, and take the next one itself.
    func noteTransactionsLeft(by object: any CXProviderDelegate) {
        state.withLock { state in
            if state.delegateID == ObjectIdentifier(object) { state.leavesTransactions = true }
        }
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
