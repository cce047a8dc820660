public import AVFAudio
public import Foundation

/// The methods by which a provider has an app perform actions.
///
/// All but ``providerDidReset(_:)`` are optional. They are called on the queue of
/// ``CXProvider/setDelegate(_:queue:)``, one after another. An action without a method of its own fails at once.
public protocol CXProviderDelegate: NSObjectProtocol {
    /// All calls are gone: the app ends them in its network, and expects no further action on them.
    func providerDidReset(_ provider: CXProvider)
    /// The provider was created and takes actions and reports.
    func providerDidBegin(_ provider: CXProvider)
    /// Offers a transaction as a whole. If the app returns true, it completes all actions by itself.
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool
    /// Starts a call.
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    /// Answers a call.
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// Ends a call.
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// Holds or resumes a call.
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    /// Mutes or unmutes a call.
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    /// Merges a call with others, or takes it out of its group.
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction)
    /// Plays tones.
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction)
    /// Begins or ends the translation of a call.
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction)
    /// An action was not completed in time and has failed.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// The audio session is active: capture and playout begin.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// The audio session is no longer active: capture and playout end.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

// Objective-C has optional methods, Swift has defaults, which note that they were called.
extension CXProviderDelegate {
    /// Does nothing.
    public func providerDidBegin(_ provider: CXProvider) {}

    /// Leaves the actions to the methods for single ones.
    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        provider.noteTransactionsLeft(by: self)
        return false
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        action.markUnhandled()
    }

    /// Fails the action.
    public func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        action.markUnhandled()
    }

    /// Does nothing.
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}

    /// Does nothing.
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}

    /// Does nothing.
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
}
