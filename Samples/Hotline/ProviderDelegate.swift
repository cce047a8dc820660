import AVFAudio
import CallKit
import Foundation

/// The app's side of the system's calls.
@MainActor
final class ProviderDelegate: NSObject {
    private(set) var isAudioRunning = false
    private let manager: CallManager
    private let provider: CXProvider
    private let began: () -> Void

    private static var configuration: CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 3
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        return configuration
    }

    init(manager: CallManager, began: @escaping () -> Void) {
        (self.manager, self.began) = (manager, began)
        provider = CXProvider(configuration: Self.configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    /// Reports an incoming call; it is in the list once the system lets it ring.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - handle: The caller.
    ///   - type: The type of the caller's handle.
    ///   - hasVideo: True for a call with video.
    ///   - failed: The receiver of the reason why the call does not ring.
    func reportIncomingCall(
        _ uuid: UUID,
        from handle: String,
        type: CXHandle.HandleType = .generic,
        hasVideo: Bool = false,
        failed: @escaping @MainActor (any Error) -> Void
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: type, value: handle)
        update.hasVideo = hasVideo
        // The completion comes before all else that the system does with the call: whoever awaits it in a task may be
        // asked to answer a call that is not in the list yet.
        provider.reportNewIncomingCall(with: uuid, update: update) { [manager] error in
            MainActor.assumeIsolated {
                if let error { return failed(error) }
                manager.add(Call(uuid: uuid, handle: handle, isOutgoing: false))
            }
        }
    }

    private func configureAudio() {
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat, options: [])
    }
}

extension ProviderDelegate: CXProviderDelegate {
    func providerDidBegin(_ provider: CXProvider) {
        began()
    }

    func providerDidReset(_ provider: CXProvider) {
        isAudioRunning = false
        manager.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        let call = Call(uuid: action.callUUID, handle: action.handle.value, isOutgoing: true)
        manager.add(call)
        configureAudio()
        call.start()
        provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: nil)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = manager.call(with: action.callUUID) else { return action.fail() }
        configureAudio()
        call.answer()
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard let call = manager.call(with: action.callUUID) else { return action.fail() }
        action.fulfill()
        manager.remove(call)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = manager.call(with: action.callUUID) else { return action.fail() }
        call.state = action.isOnHold ? .held : .active
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        guard let call = manager.call(with: action.callUUID) else { return action.fail() }
        call.isMuted = action.isMuted
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        isAudioRunning = true
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        isAudioRunning = false
    }
}
