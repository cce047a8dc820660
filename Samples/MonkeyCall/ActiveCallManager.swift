import CallKit
import Foundation

/// The list of the app's calls, and the requests that its user makes.
@MainActor
final class ActiveCallManager: NSObject {
    private(set) var calls: [ActiveCall] = []
    private let controller = CXCallController(queue: .main)
    private let changed: (ActiveCall) -> Void

    /// Creates an empty list.
    ///
    /// - Parameter changed: The receiver of each call that has changed.
    init(changed: @escaping (ActiveCall) -> Void) {
        self.changed = changed
        super.init()
        controller.callObserver.setDelegate(self, queue: .main)
    }

    // MARK: The list

    func findCall(_ uuid: UUID) -> ActiveCall? { calls.first { $0.uuid == uuid } }

    func findCall(with handle: String) -> ActiveCall? { calls.first { $0.handle == handle } }

    func add(_ call: ActiveCall) {
        calls.append(call)
        changed(call)
    }

    func update(_ call: ActiveCall, _ change: (ActiveCall) -> Void) {
        let before = call.stage
        change(call)
        if call.endedAt != nil { calls.removeAll { $0 === call } }
        if call.stage != before { changed(call) }
    }

    func endAll() {
        for call in calls { update(call) { $0.end() } }
    }

    // MARK: Requests

    func startCall(_ handle: CXHandle) async throws {
        try await controller.requestTransaction(with: CXStartCallAction(call: UUID(), handle: handle))
    }

    func endCall(_ call: ActiveCall) async throws {
        try await controller.requestTransaction(with: CXEndCallAction(call: call.uuid))
    }

    func setHeld(_ call: ActiveCall, _ isOnHold: Bool) async throws {
        try await controller.requestTransaction(with: CXSetHeldCallAction(call: call.uuid, onHold: isOnHold))
    }
}

extension ActiveCallManager: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        guard call.hasConnected, !call.hasEnded, let own = findCall(call.uuid) else { return }
        update(own) { $0.connect() }
    }
}
