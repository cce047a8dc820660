import CallKit
import Foundation
import PushKit

/// Receives the pushes of incoming calls, and reports each.
final class PushController: NSObject, PKPushRegistryDelegate {
    private(set) var token: Data?
    private let registry = PKPushRegistry(queue: .main)
    private let provider: ProviderDelegate

    init(provider: ProviderDelegate) {
        self.provider = provider
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        token = pushCredentials.token
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard type == .voIP,
            let text = payload.dictionaryPayload["UUID"] as? String, let uuid = UUID(uuidString: text),
            let handle = payload.dictionaryPayload["handle"] as? String
        else { return }
        let name = payload.dictionaryPayload["callerName"] as? String
        let hasVideo = payload.dictionaryPayload["hasVideo"] as? Bool ?? false
        provider.reportIncomingCall(uuid: uuid, handle: handle, name: name, hasVideo: hasVideo) { _ in completion() }
    }
}
