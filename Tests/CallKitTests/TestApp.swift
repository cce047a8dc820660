import AVFAudio
import CallKit
import CallSystem
import Dispatch
import Foundation

/// An app as one writes it for an iPhone: a provider with a delegate, a controller and an observer.
///
/// It fulfils every action unless a test says otherwise, and records what it is called with.
final class TestApp: NSObject, @unchecked Sendable {
    /// The ways in which the app completes an action.
    enum Reaction {
        case fulfill
        case fail
        case nothing
    }

    let system: CallSystem
    private let settle: @Sendable () async -> Void
    let provider: CXProvider
    let controller: CXCallController
    private let state = Locked(State())

    private struct State {
        var log: [String] = []
        var observed: [String] = []
        var performed: [CXAction] = []
        var transactions: [CXTransaction] = []
        var reactions: [String: Reaction] = [:]
        var takesTransactions = false
        var waiter: (entry: String, done: CheckedContinuation<Void, Never>)?
        var before: [String: @Sendable (CXProvider, CXCallAction) -> Void] = [:]
        var onAudio: (@Sendable (_ isActive: Bool) -> Void)?
    }

    init(
        on system: CallSystem,
        _ configuration: CXProviderConfiguration = CXProviderConfiguration(),
        settle: @escaping @Sendable () async -> Void
    ) {
        (self.system, self.settle) = (system, settle)
        (provider, controller) = system.run { (CXProvider(configuration: configuration), CXCallController()) }
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "TestApp"))
        controller.callObserver.setDelegate(self, queue: DispatchQueue(label: "TestApp.observer"))
    }

    convenience init(
        _ hub: SimulatedHub,
        on system: CallSystem,
        _ configuration: CXProviderConfiguration = CXProviderConfiguration()
    ) {
        self.init(on: system, configuration) { await hub.settle() }
    }

    convenience init(
        _ hub: SimulatedHub,
        _ account: String = "alice",
        configure: (CXProviderConfiguration) -> Void = { _ in }
    ) {
        let configuration = CXProviderConfiguration()
        configure(configuration)
        self.init(hub, on: hub.device(account), configuration)
    }

    // MARK: What a test looks at

    /// The names of the delegate's calls since the last look, in order.
    func takeLog() -> [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    /// Waits until the delegate's calls since the last look contain one, and returns them.
    func takeLog(until entry: String) async -> [String] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                let isThere = state.withLock { state in
                    let isThere = state.log.contains(entry) || Task.isCancelled
                    if !isThere { state.waiter = (entry, done) }
                    return isThere
                }
                if isThere { done.resume() }
            }
        } onCancel: {
            takeWaiter()?.resume()
        }
        return takeLog()
    }

    /// Takes what waits for an entry, at a test's time limit.
    private func takeWaiter() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter?.done
        }
    }

    /// The changes of calls that the observer was notified of since the last look.
    func takeObserved() -> [String] {
        state.withLock { state in
            defer { state.observed = [] }
            return state.observed
        }
    }

    /// The actions that the delegate was to perform, in order.
    var performed: [CXAction] { state.withLock { $0.performed } }

    /// The transactions that the delegate was offered, in order.
    var transactions: [CXTransaction] { state.withLock { $0.transactions } }

    var user: CallScreen { system.user }

    // MARK: What a test has the app do

    /// Sets the way in which actions of a name are completed from now on.
    func react(to name: String, _ reaction: Reaction) {
        state.withLock { $0.reactions[name] = reaction }
    }

    /// Sets a closure that is called before an action of a name is completed.
    func before(_ name: String, _ body: @escaping @Sendable (CXProvider, CXCallAction) -> Void) {
        state.withLock { $0.before[name] = body }
    }

    /// Sets a closure that is called within the callbacks of the audio session.
    func onAudio(_ body: @escaping @Sendable (_ isActive: Bool) -> Void) {
        state.withLock { $0.onAudio = body }
    }

    /// Has the app handle transactions as a whole.
    func takeTransactions() {
        state.withLock { $0.takesTransactions = true }
    }

    /// Requests actions by the controller, and waits for what they cause.
    func request(_ actions: CXAction...) async throws {
        try await controller.requestTransaction(with: actions)
        await settle()
    }

    /// Starts a call, and waits for what that causes.
    @discardableResult
    func start(_ handle: String, _ type: CXHandle.HandleType = .generic) async throws -> UUID {
        let call = UUID()
        try await request(CXStartCallAction(call: call, handle: CXHandle(type: type, value: handle)))
        return call
    }

    /// Reports an incoming call of the app's own network, and waits for what that causes.
    @discardableResult
    func report(_ caller: String?, _ call: UUID = UUID(), _ change: (CXCallUpdate) -> Void = { _ in }) async throws
        -> UUID
    {
        let update = CXCallUpdate()
        if let caller { update.remoteHandle = CXHandle(type: .generic, value: caller) }
        change(update)
        try await provider.reportNewIncomingCall(with: call, update: update)
        await settle()
        return call
    }

    /// The state of a call on the system's screen; nil: it is over.
    func state(of call: UUID) -> ScreenCall.State? { user.calls.first { $0.uuid == call }?.state }

    private func note(_ entry: String) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.log.append(entry)
            guard let waiter = state.waiter, waiter.entry == entry else { return nil }
            state.waiter = nil
            return waiter.done
        }
        waiter?.resume()
    }

    private func perform(_ action: CXCallAction, _ name: String) {
        let (reaction, before) = state.withLock { state in
            state.performed.append(action)
            return (state.reactions[name] ?? .fulfill, state.before[name])
        }
        note(name)
        before?(provider, action)
        switch reaction {
        case .fulfill: action.fulfill()
        case .fail: action.fail()
        case .nothing: break
        }
    }
}

extension TestApp: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) { note("reset") }

    func providerDidBegin(_ provider: CXProvider) { note("begin") }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        state.withLock { state in
            state.transactions.append(transaction)
            return state.takesTransactions
        }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { perform(action, "start") }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action, "answer") }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { perform(action, "end") }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        perform(action, action.isOnHold ? "hold" : "resume")
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        perform(action, action.isMuted ? "mute" : "unmute")
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        perform(action, action.callUUIDToGroupWith == nil ? "split" : "merge")
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        perform(action, "digits \(action.digits)")
    }

    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        perform(action, "translate \(action.localLanguage) \(action.remoteLanguage)")
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        note("timed out \(type(of: action))")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        state.withLock { $0.onAudio }?(true)
        note("activate")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        state.withLock { $0.onAudio }?(false)
        note("deactivate")
    }
}

extension TestApp: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        let state = call.hasEnded ? "ended" : call.isOnHold ? "held" : call.hasConnected ? "connected" : "new"
        self.state.withLock { $0.observed.append("\(call.isOutgoing ? "outgoing" : "incoming") \(state)") }
    }
}

/// Runs a closure and returns the code of the transaction's refusal; nil: it was accepted.
func refusal(_ body: () async throws -> Void) async -> CXErrorCodeRequestTransactionError.Code? {
    do {
        try await body()
        return nil
    } catch let error as CXErrorCodeRequestTransactionError {
        return error.code
    } catch {
        return .unknown
    }
}

/// Runs a closure and returns the code of the refusal of a report; nil: the call rings.
func reportRefusal(_ body: () async throws -> Void) async -> CXErrorCodeIncomingCallError.Code? {
    do {
        try await body()
        return nil
    } catch let error as CXErrorCodeIncomingCallError {
        return error.code
    } catch {
        return .unknown
    }
}
