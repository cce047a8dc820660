import AVFoundation
import CallKit
import UIKit

/// The app's side of the system's calls.
final class ProviderDelegate: NSObject {
    let audio = AudioController()
    private let manager: CallManager
    private let provider: CXProvider

    static var configuration: CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 3
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        configuration.ringtoneSound = "Ringtone.caf"
        configuration.iconTemplateImageData = UIImage(named: "IconMask")?.pngData()
        return configuration
    }

    init(manager: CallManager) {
        self.manager = manager
        provider = CXProvider(configuration: ProviderDelegate.configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    // MARK: Reports

    func reportIncomingCall(
        uuid: UUID,
        handle: String,
        type: CXHandle.HandleType = .generic,
        name: String? = nil,
        hasVideo: Bool = false,
        completion: ((Error?) -> Void)? = nil
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: type, value: handle)
        update.localizedCallerName = name
        update.hasVideo = hasVideo
        provider.reportNewIncomingCall(with: uuid, update: update) { [weak self] error in
            if error == nil {
                self?.manager.add(Call(uuid: uuid, handle: handle, isOutgoing: false))
            }
            completion?(error)
        }
    }

    func reportConnecting(_ call: Call) {
        provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: Date())
    }

    func reportConnected(_ call: Call) {
        provider.reportOutgoingCall(with: call.uuid, connectedAt: Date())
    }

    func reportEnded(_ call: Call, reason: CXCallEndedReason) {
        provider.reportCall(with: call.uuid, endedAt: Date(), reason: reason)
        manager.remove(call)
    }
}

extension ProviderDelegate: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        audio.stop()
        manager.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        audio.configure()
        let call = Call(uuid: action.callUUID, handle: action.handle.value, isOutgoing: true)
        manager.add(call)
        action.fulfill()
        reportConnecting(call)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = manager.call(with: action.callUUID) else {
            action.fail()
            return
        }
        audio.configure()
        call.state = .active
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard let call = manager.call(with: action.callUUID) else {
            action.fail()
            return
        }
        audio.stop()
        manager.remove(call)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = manager.call(with: action.callUUID) else {
            action.fail()
            return
        }
        call.state = action.isOnHold ? .held : .active
        action.fulfill()
        manager.notify()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        manager.call(with: action.callUUID)?.isMuted = action.isMuted
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        manager.call(with: action.callUUID)?.group = action.callUUIDToGroupWith
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        manager.call(with: action.callUUID)?.digits += action.digits
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        print("The action took too long: \(action)")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        audio.start()
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        audio.stop()
    }
}
