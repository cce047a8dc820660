import CallSystem
public import Dispatch
public import Foundation

/// The receiver of changes of calls.
public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// A call has changed; a call that is over is notified of once.
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}

/// Observes the device's calls.
open class CXCallObserver: NSObject, @unchecked Sendable {
    private let system: CallSystem
    private let client = ObserverCaller()

    /// Creates an observer.
    public override init() {
        system = CallSystem.current
        super.init()
        client.setObserver(self)
    }

    deinit {
        system.removeObserver(client)
    }

    /// The present calls.
    open var calls: [CXCall] { system.observableCalls.map { CXCall($0) } }

    /// Sets the receiver of changes.
    ///
    /// - Parameters:
    ///   - delegate: The receiver, which is not retained; nil: none.
    ///   - queue: The queue of its method; nil: the main queue.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        client.setDelegate(delegate)
        if delegate == nil {
            system.removeObserver(client)
        } else {
            system.addObserver(client, on: queue ?? .main)
        }
    }
}

/// Calls an observer's delegate for the call system.
final class ObserverCaller: CallObserverClient {
    private struct State {
        weak var observer: CXCallObserver?
        weak var delegate: (any CXCallObserverDelegate)?
    }

    private let state = Locked(State())

    func setObserver(_ observer: CXCallObserver) {
        state.withLock { $0.observer = observer }
    }

    func setDelegate(_ delegate: (any CXCallObserverDelegate)?) {
        state.withLock { $0.delegate = delegate }
    }

    func callChanged(_ call: ObservableCall) {
        let (observer, delegate) = state.withLock { ($0.observer, $0.delegate) }
        if let observer, let delegate { delegate.callObserver(observer, callChanged: CXCall(call)) }
    }
}
