import AVFAudio
import CallKit
import Foundation

/// The app's side of the system's calls.
@MainActor
final class ProviderDelegate: NSObject {
    private let manager: ActiveCallManager
    private let audio: CallAudio
    private let provider: CXProvider
    private let began: () -> Void

    private static var configuration: CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        configuration.ringtoneSound = "monkeys.wav"
        configuration.iconTemplateImageData = icon
        return configuration
    }

    /// The icon beside the program; nil: it is not there, and the app goes without it.
    private static var icon: Data? {
        let resources = Bundle.main.bundleURL.appending(path: "CallHub_MonkeyCall.resources")
        return try? Data(contentsOf: resources.appending(path: "monkey.png"))
    }

    init(manager: ActiveCallManager, audio: CallAudio, began: @escaping () -> Void) {
        (self.manager, self.audio, self.began) = (manager, audio, began)
        provider = CXProvider(configuration: Self.configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    /// Reports an incoming call; it is in the list once the system lets it ring.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - handle: The caller.
    ///   - failed: The receiver of the reason why the call does not ring.
    func reportIncomingCall(_ uuid: UUID, from handle: String, failed: @escaping @MainActor (any Error) -> Void) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: handle)
        // The completion comes before all else that the system does with the call: whoever awaits it in a task may be
        // asked to answer a call that is not in the list yet.
        provider.reportNewIncomingCall(with: uuid, update: update) { [manager] error in
            MainActor.assumeIsolated {
                if let error { return failed(error) }
                manager.add(ActiveCall(uuid: uuid, handle: handle, isOutgoing: false))
            }
        }
    }

    /// Reports that the other end has hung up.
    func reportEnd(of call: ActiveCall) {
        provider.reportCall(with: call.uuid, endedAt: nil, reason: .remoteEnded)
        manager.update(call) { $0.end() }
    }

    /// Performs an action on a call of the list, and fails it if there is no such call.
    private func perform(_ action: CXCallAction, _ body: (ActiveCall) throws -> Void) {
        guard let call = manager.findCall(action.callUUID) else { return action.fail() }
        do {
            try body(call)
            action.fulfill()
        } catch {
            action.fail()
        }
    }
}

extension ProviderDelegate: CXProviderDelegate {
    func providerDidBegin(_ provider: CXProvider) {
        began()
    }

    func providerDidReset(_ provider: CXProvider) {
        audio.stop()
        manager.endAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        let call = ActiveCall(uuid: action.callUUID, handle: action.handle.value, isOutgoing: true)
        manager.add(call)
        perform(action) { _ in try audio.configure() }
        call.startConnecting()
        provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: call.startedConnectingAt)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        perform(action) { _ in try audio.configure() }
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        perform(action) { call in manager.update(call) { $0.end() } }
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        perform(action) { call in manager.update(call) { $0.isOnHold = action.isOnHold } }
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        audio.start()
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        audio.stop()
    }
}
