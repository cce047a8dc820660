import AVFAudio
import CallKit
import CallSystem
import Dispatch
import Foundation
import PushKit

/// An app of a random run: its delegate fulfils at once, late, from another thread, never, or fails, as a run says.
///
/// It checks the order of all callbacks, and keeps the first sentences about a broken rule.
final class RandomApp: NSObject, @unchecked Sendable {
    /// The ways in which the delegate completes an action.
    enum Reaction: Int, CaseIterable {
        case fulfill
        case fulfillTwice
        case fulfillElsewhere
        case later
        case never
        case fail
    }

    let name: String
    let system: CallSystem
    let provider: CXProvider
    let controller: CXCallController
    /// The registry of an app that is announced its calls by pushes; nil: its calls ring without a report.
    private let registry: PKPushRegistry?
    /// The time of the hub.
    private let now: @Sendable () -> Date
    private let state = Locked(State())
    private let queue: DispatchQueue
    /// Indicates that the app has a method that takes transactions, though it takes none.
    private let isOffered: Bool
    /// The delegate of an app that is offered transactions.
    private lazy var offeredApp = OfferedApp(self)

    private struct State {
        var reaction = Reaction.fulfill
        var isSlow = false
        var faults: [String] = []
        var hasBegun = false
        var isAudioActive = false
        var wasCutOff = false
        var isInCallback = false
        var performed: Set<UUID> = []
        var offered: Set<UUID> = []
        var timedOut: Set<UUID> = []
        var kept: [CXAction] = []
        var accepted: Set<UUID> = []
        var requested: Set<UUID> = []
        var seen: [UUID: CXCallState] = [:]
        /// The calls that were announced and are not reported yet, with the time of the push.
        var announced: [(call: UUID, handle: String, at: Date)] = []
    }

    private struct CXCallState: Equatable {
        var isOutgoing: Bool
        var isOnHold: Bool
        var hasConnected: Bool
        var hasEnded: Bool
    }

    init(
        _ name: String,
        on system: CallSystem,
        takesPushes: Bool,
        isOffered: Bool,
        now: @escaping @Sendable () -> Date
    ) {
        (self.name, self.system, self.isOffered, self.now) = (name, system, isOffered, now)
        queue = DispatchQueue(label: "RandomApp.\(name)", attributes: .concurrent)
        (provider, controller) = system.run {
            (CXProvider(configuration: CXProviderConfiguration()), CXCallController())
        }
        registry = takesPushes ? system.run { PKPushRegistry(queue: DispatchQueue(label: "RandomApp.push")) } : nil
        super.init()
        registry?.delegate = self
        registry?.desiredPushTypes = [.voIP]
        provider.setDelegate(isOffered ? offeredApp : self, queue: queue)
        controller.callObserver.setDelegate(self, queue: DispatchQueue(label: "RandomApp.\(name).observer"))
    }

    // MARK: What a run has it do

    func react(_ reaction: Reaction, isSlow: Bool) {
        state.withLock { ($0.reaction, $0.isSlow) = (reaction, isSlow) }
    }

    /// Notes that the link to the hub is cut.
    func noteCut() { state.withLock { $0.wasCutOff = true } }

    /// Fulfils what was kept for later.
    func fulfillKept() {
        let kept = state.withLock { state in
            defer { state.kept = [] }
            return state.kept
        }
        for action in kept { action.fulfill() }
    }

    /// Requests actions; whether they are accepted is of no importance.
    func request(_ actions: [CXCallAction]) {
        state.withLock { $0.requested.formUnion(actions.map(\.uuid)) }
        controller.requestTransaction(with: actions) { [self] error in
            if error == nil { state.withLock { $0.accepted.formUnion(actions.map(\.uuid)) } }
        }
    }

    /// Reports a call of the app's own network.
    func report(_ caller: String, isHoldable: Bool) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        if !isHoldable { update.supportsHolding = false }
        provider.reportNewIncomingCall(with: UUID(), update: update) { _ in }
    }

    /// Reports the first call that a push has announced, under its own UUID or another one.
    func reportAnnounced(underOwnUUID isOwn: Bool) {
        let first = state.withLock { $0.announced.isEmpty ? nil : $0.announced.removeFirst() }
        guard let first else { return }
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: first.handle)
        provider.reportNewIncomingCall(with: isOwn ? UUID() : first.call, update: update) { _ in }
    }

    // MARK: What a run looks at

    var calls: [ScreenCall] { system.user.calls }

    func takeFaults() -> [String] {
        state.withLock { state in
            defer { state.faults = [] }
            return state.faults.map { "\(name): \($0)" }
        }
    }

    var isAudioActive: Bool { state.withLock { $0.isAudioActive } }

    // MARK: Rules

    private func check(_ isRight: Bool, _ state: inout State, _ sentence: String) {
        if !isRight, state.faults.count < 5 { state.faults.append(sentence) }
    }

    /// Runs a callback of the delegate under the rules of all of them.
    private func callback(_ name: String, _ body: (inout State) -> Void) {
        let isSlow = state.withLock { state in
            check(!state.isInCallback, &state, "\(name) comes while another callback runs")
            state.isInCallback = true
            check(state.hasBegun || name == "begin", &state, "\(name) comes before the begin")
            body(&state)
            return state.isSlow
        }
        // The callback takes its time, so that a second one that does not wait for it overlaps.
        usleep(isSlow ? 300 : 30)
        state.withLock { $0.isInCallback = false }
    }

    /// The time after which a call rings all the same, in seconds.
    private static let reportSeconds = 5.0

    private func perform(_ action: CXCallAction, _ name: String) {
        var reaction = Reaction.fulfill
        let time = now()
        callback(name) { state in
            reaction = state.reaction
            check(state.performed.insert(action.uuid).inserted, &state, "\(name) is performed twice")
            // The end of its call may complete an action while this callback begins.
            check(!state.timedOut.contains(action.uuid), &state, "\(name) is performed although it has timed out")
            let isOwn = state.requested.contains(action.uuid)
            check(!isOwn || state.accepted.contains(action.uuid), &state, "\(name) is performed before its acceptance")
            // The app is told the end of its call by an action that is no request of anybody.
            let isMissed = isOffered && !state.offered.contains(action.uuid) && name != "end"
            check(!isMissed, &state, "\(name) is performed and was not offered")
            let isUnreported = state.announced.contains { call, _, at in
                call == action.callUUID && time.timeIntervalSince(at) < Self.reportSeconds
            }
            check(!isUnreported, &state, "\(name) is performed on a call that the app has not reported")
            // A call may end while this callback begins; then its action is complete before its observers know.
            let isOver = state.seen[action.callUUID]?.hasEnded == true && !action.isComplete
            check(!isOver || name == "end", &state, "\(name) is performed on a call that is over")
            if reaction == .later { state.kept.append(action) }
        }
        switch reaction {
        case .fulfill: action.fulfill()
        case .fulfillTwice: DispatchQueue.concurrentPerform(iterations: 2) { _ in action.fulfill() }
        case .fulfillElsewhere: DispatchQueue(label: "elsewhere").sync { action.fulfill() }
        case .later, .never: break
        case .fail: action.fail()
        }
    }
}

extension RandomApp: CXProviderDelegate {
    func providerDidBegin(_ provider: CXProvider) {
        callback("begin") { $0.hasBegun = true }
    }

    func providerDidReset(_ provider: CXProvider) {
        callback("reset") { state in
            check(!state.isAudioActive, &state, "a reset comes while the audio session is active")
            (state.kept, state.announced) = ([], [])
        }
    }

    /// Looks at a transaction that is offered to the app.
    fileprivate func look(at transaction: CXTransaction) {
        callback("execute") { state in
            check(!transaction.actions.isEmpty, &state, "an empty transaction is offered")
            state.offered.formUnion(transaction.actions.map(\.uuid))
        }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { perform(action, "start") }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action, "answer") }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { perform(action, "end") }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { perform(action, "hold") }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { perform(action, "mute") }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { perform(action, "group") }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) { perform(action, "digits") }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        callback("timedOut") { state in
            check(action.isComplete, &state, "an action has timed out and is not complete")
            check(state.timedOut.insert(action.uuid).inserted, &state, "an action times out twice")
            // An action whose deadline passes behind a cut link is not performed any more.
            let isPerformed = state.performed.contains(action.uuid) || state.wasCutOff
            check(isPerformed, &state, "an action times out that was not performed")
        }
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        callback("activate") { state in
            check(!state.isAudioActive, &state, "the audio session is activated twice")
            state.isAudioActive = true
        }
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        callback("deactivate") { state in
            check(state.isAudioActive, &state, "the audio session is deactivated twice")
            state.isAudioActive = false
        }
    }
}

extension RandomApp: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        let now = CXCallState(
            isOutgoing: call.isOutgoing,
            isOnHold: call.isOnHold,
            hasConnected: call.hasConnected,
            hasEnded: call.hasEnded
        )
        state.withLock { state in
            if let before = state.seen[call.uuid] {
                check(before != now, &state, "an observer is told the same twice")
                check(!before.hasEnded, &state, "a call changes after its end")
                check(!before.hasConnected || now.hasConnected, &state, "a call is no longer connected")
                check(before.isOutgoing == now.isOutgoing, &state, "a call changes its direction")
            }
            check(!now.isOnHold || now.hasConnected, &state, "a call is held before it is connected")
            state.seen[call.uuid] = now
        }
    }
}

extension RandomApp: PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let time = now()
        let reportsNow = state.withLock { state in
            guard let text = payload.dictionaryPayload["UUID"] as? String, let call = UUID(uuidString: text) else {
                check(false, &state, "a push has no UUID")
                return false
            }
            state.announced.append((call, payload.dictionaryPayload["handle"] as? String ?? "", time))
            return state.announced.count == 1 && [.fulfill, .fulfillTwice].contains(state.reaction)
        }
        if reportsNow { reportAnnounced(underOwnUUID: false) }
        completion()
    }
}

/// The delegate of an app that has a method that takes transactions, and passes all else on to the app.
private final class OfferedApp: NSObject, CXProviderDelegate {
    private unowned let app: RandomApp

    init(_ app: RandomApp) { self.app = app }

    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        app.look(at: transaction)
        return false
    }

    func providerDidBegin(_ provider: CXProvider) { app.providerDidBegin(provider) }
    func providerDidReset(_ provider: CXProvider) { app.providerDidReset(provider) }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        app.provider(provider, perform: action)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        app.provider(provider, timedOutPerforming: action)
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        app.provider(provider, didActivate: audioSession)
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        app.provider(provider, didDeactivate: audioSession)
    }
}
