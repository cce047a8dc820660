import CallKit
import Foundation
import PushKit

/// The app's network: it announces incoming calls by pushes, and can make some up.
@MainActor
final class VoIPService: NSObject {
    private let provider: ProviderDelegate
    private let registry = PKPushRegistry(queue: .main)
    private let failed: @MainActor (any Error) -> Void

    /// Creates the service and registers it for pushes.
    ///
    /// - Parameters:
    ///   - provider: The provider to which calls are reported.
    ///   - failed: The receiver of the reason why a call does not ring.
    init(provider: ProviderDelegate, failed: @escaping @MainActor (any Error) -> Void) {
        (self.provider, self.failed) = (provider, failed)
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    /// Makes up an incoming call of somebody who is not at the hub.
    func simulateCall(from handle: String) {
        provider.reportIncomingCall(UUID(), from: handle, failed: failed)
    }
}

extension VoIPService: PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        guard let text = payload.dictionaryPayload["UUID"] as? String, let uuid = UUID(uuidString: text),
            let handle = payload.dictionaryPayload["handle"] as? String
        else { return }
        provider.reportIncomingCall(uuid, from: handle, failed: failed)
    }
}
