import CallKit
import Foundation

/// The list of calls, and what taps on it request.
@MainActor
final class CallManager: NSObject {
    private(set) var calls: [Call] = [] { didSet { callsChanged() } }
    private let controller = CXCallController(queue: .main)
    private let callsChanged: () -> Void

    init(callsChanged: @escaping () -> Void) {
        self.callsChanged = callsChanged
        super.init()
        controller.callObserver.setDelegate(self, queue: .main)
    }

    func call(with uuid: UUID) -> Call? { calls.first { $0.uuid == uuid } }

    func add(_ call: Call) {
        call.stateChanged = { [weak self] _ in self?.callsChanged() }
        calls.append(call)
    }

    func remove(_ call: Call) {
        call.end()
        calls.removeAll { $0 === call }
    }

    func removeAll() {
        for call in calls { remove(call) }
    }

    // MARK: Taps

    func startCall(to handle: String, type: CXHandle.HandleType = .generic) async throws {
        let handle = CXHandle(type: type, value: handle)
        try await request(CXStartCallAction(call: UUID(), handle: handle))
    }

    func end(_ call: Call) async throws {
        try await request(CXEndCallAction(call: call.uuid))
    }

    /// Holds an active call, or resumes a held one, as a tap on its row does.
    func toggleHold(_ call: Call) async throws {
        try await request(CXSetHeldCallAction(call: call.uuid, onHold: call.state != .held))
    }

    func setMuted(_ call: Call, _ isMuted: Bool) async throws {
        try await request(CXSetMutedCallAction(call: call.uuid, muted: isMuted))
    }

    func group(_ call: Call, with other: Call?) async throws {
        try await request(CXSetGroupCallAction(call: call.uuid, callUUIDToGroupWith: other?.uuid))
    }

    private func request(_ action: CXCallAction) async throws {
        try await controller.request(CXTransaction(action: action))
    }
}

extension CallManager: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        guard let own = self.call(with: call.uuid), own.connection == .pending, call.hasConnected, !call.hasEnded else {
            return
        }
        own.connect()
    }
}
