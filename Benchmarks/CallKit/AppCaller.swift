import AVFAudio
import CallKit
import CallSystem
import Dispatch
import Foundation

/// An app on CallKit, as one writes it for an iPhone.
final class AppCaller: NSObject, Caller, @unchecked Sendable {
    let name = "CallKit"
    private let system: CallSystem
    private let provider: CXProvider
    private let controller: CXCallController
    private let waiters = CallWaiters()

    init(_ url: String, calls: Int) {
        let system = CallSystem(HubAccess(url: url, account: "app"))
        self.system = system
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = calls
        configuration.maximumCallsPerCallGroup = 1
        let queue = DispatchQueue(label: "AppCaller")
        (provider, controller) = system.run {
            (CXProvider(configuration: configuration), CXCallController(queue: queue))
        }
        super.init()
        provider.setDelegate(self, queue: queue)
        controller.callObserver.setDelegate(self, queue: queue)
    }

    func start() async throws -> UUID {
        let call = UUID()
        let action = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "echo"))
        try await controller.requestTransaction(with: action)
        await waiters.wait(for: call, .connected)
        return call
    }

    func mute(_ call: UUID, _ isMuted: Bool) async throws {
        try await controller.requestTransaction(with: CXSetMutedCallAction(call: call, muted: isMuted))
    }

    func end(_ call: UUID) async throws {
        try await controller.requestTransaction(with: CXEndCallAction(call: call))
        await waiters.wait(for: call, .ended)
    }

    func close() async { await system.close() }
}

extension AppCaller: CXProviderDelegate, CXCallObserverDelegate {
    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { action.fulfill() }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.hasEnded {
            waiters.note(call.uuid, .ended)
        } else if call.hasConnected, !call.isOnHold {
            waiters.note(call.uuid, .connected)
        }
    }
}
