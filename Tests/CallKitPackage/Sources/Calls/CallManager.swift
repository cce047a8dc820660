import CallKit
import Foundation

/// The app's calls, and the requests of its own buttons.
final class CallManager: NSObject {
    static let callsChanged = Notification.Name("CallManager.callsChanged")

    private(set) var calls: [Call] = []
    private(set) var lastError: Error?
    private let controller = CXCallController(queue: .main)

    override init() {
        super.init()
        controller.callObserver.setDelegate(self, queue: nil)
    }

    // MARK: The list

    func call(with uuid: UUID) -> Call? {
        calls.first { $0.uuid == uuid }
    }

    func add(_ call: Call) {
        calls.append(call)
        notify()
    }

    func remove(_ call: Call) {
        call.state = .ended
        calls.removeAll { $0 === call }
        notify()
    }

    func removeAll() {
        calls.forEach { $0.state = .ended }
        calls.removeAll()
        notify()
    }

    func notify() {
        NotificationCenter.default.post(name: CallManager.callsChanged, object: self)
    }

    // MARK: Buttons

    @discardableResult
    func startCall(to handle: String, type: CXHandle.HandleType = .generic, video: Bool = false) -> UUID {
        let uuid = UUID()
        let action = CXStartCallAction(call: uuid, handle: CXHandle(type: type, value: handle))
        action.isVideo = video
        request(CXTransaction(action: action))
        return uuid
    }

    func answer(_ call: Call) {
        request(CXTransaction(action: CXAnswerCallAction(call: call.uuid)))
    }

    func end(_ call: Call) {
        request(CXTransaction(action: CXEndCallAction(call: call.uuid)))
    }

    func setHeld(_ call: Call, onHold: Bool) {
        request(CXTransaction(action: CXSetHeldCallAction(call: call.uuid, onHold: onHold)))
    }

    func setMuted(_ call: Call, muted: Bool) {
        request(CXTransaction(action: CXSetMutedCallAction(call: call.uuid, muted: muted)))
    }

    func swap(_ active: Call, _ held: Call) {
        let transaction = CXTransaction(action: CXSetHeldCallAction(call: active.uuid, onHold: true))
        transaction.addAction(CXSetHeldCallAction(call: held.uuid, onHold: false))
        request(transaction)
    }

    func merge(_ call: Call, with other: Call) {
        request(CXTransaction(action: CXSetGroupCallAction(call: call.uuid, callUUIDToGroupWith: other.uuid)))
    }

    func split(_ call: Call) {
        request(CXTransaction(action: CXSetGroupCallAction(call: call.uuid, callUUIDToGroupWith: nil)))
    }

    func press(_ digits: String, in call: Call) {
        request(CXTransaction(action: CXPlayDTMFCallAction(call: call.uuid, digits: digits, type: .singleTone)))
    }

    private func request(_ transaction: CXTransaction) {
        controller.request(transaction) { [weak self] error in
            self?.lastError = error
            if let error = error {
                print("The transaction was refused: \(error.localizedDescription)")
            }
        }
    }
}

extension CallManager: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        guard let own = self.call(with: call.uuid), call.hasConnected, own.connectedAt == nil else { return }
        own.connectedAt = Date()
        own.state = call.isOnHold ? .held : .active
        notify()
    }
}
