package import CallSystem
public import Foundation
package import HubEngine

/// An action on a call, which the app's provider performs and then fulfils or fails, once.
open class CXAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private struct State {
        var isComplete = false
        var timeoutDate: Date
        var completion: ActionCompletion?
        /// Indicates that the app has completed the action, and not the system.
        var isCompletedByApp = false
        var hasBegun = false
        /// Indicates that the delegate has no method of its own for the action.
        var isUnhandled = false
    }

    /// The UUID of the action, which is not the call's.
    public let uuid: UUID
    private let state: Locked<State>

    /// Creates an action with a UUID of its own.
    public override init() {
        uuid = UUID()
        state = Locked(State(timeoutDate: Date()))
        super.init()
        state.withLock { $0.timeoutDate += timeout }
    }

    /// Creates an action that the system requests.
    init(uuid: UUID) {
        self.uuid = uuid
        state = Locked(State(timeoutDate: Date()))
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        guard let uuid = coder.decodeUUID(forKey: "uuid"),
            let timeoutDate = coder.decodeObject(of: NSDate.self, forKey: "timeoutDate")
        else { return nil }
        self.uuid = uuid
        state = Locked(State(isComplete: coder.decodeBool(forKey: "isComplete"), timeoutDate: timeoutDate as Date))
    }

    /// Indicates that actions can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the action to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid, forKey: "uuid")
        coder.encode(timeoutDate as NSDate, forKey: "timeoutDate")
        coder.encode(isComplete, forKey: "isComplete")
    }

    /// Returns an action with the same UUID and values, whose completion has no effect.
    open func copy(with zone: NSZone? = nil) -> Any { CXAction(uuid: uuid).like(self) }

    /// Takes over the state of the action that this one is a copy of.
    func like(_ other: CXAction) -> Self {
        let (isComplete, timeoutDate) = (other.isComplete, other.timeoutDate)
        state.withLock { ($0.isComplete, $0.timeoutDate) = (isComplete, timeoutDate) }
        return self
    }

    /// Indicates that the action was fulfilled or has failed.
    open var isComplete: Bool { state.withLock { $0.isComplete } }

    /// The time at which the action fails if it is not complete.
    open var timeoutDate: Date { state.withLock { $0.timeoutDate } }

    /// Reports that the action was performed; a second completion has no effect.
    open func fulfill() {
        fulfill(at: nil)
    }

    /// Reports that the action could not be performed; a second completion has no effect.
    open func fail() {
        takeCompletion()?.fail()
    }

    /// Reports that the action was performed at a time (nil: now), and the program that translates the call.
    func fulfill(at date: Date?, using engine: TranslationEngine? = nil) {
        takeCompletion()?.fulfill(at: date, using: engine)
    }

    /// Takes the receiver of the result; nil: the action is complete, or was not given out by the system.
    private func takeCompletion() -> ActionCompletion? {
        let (first, second) = state.withLock { state -> (ActionCompletion?, ActionCompletion?) in
            guard !state.isComplete else { return (nil, state.isCompletedByApp ? state.completion : nil) }
            (state.isComplete, state.isCompletedByApp) = (true, true)
            return (state.completion, nil)
        }
        second?.warnOfSecond()
        return first
    }

    /// The time for which the system waits for the completion, in seconds.
    var timeout: TimeInterval { 5 }

    /// The action as the call system knows it; nil: it is no action on a call.
    var engineAction: Action? { nil }

    /// Takes over the values of the action as it is performed.
    func adopt(_ action: Action) {}

    // MARK: Delegates without a method

    /// Notes that a delegate has no method of its own for the action.
    func markUnhandled() {
        state.withLock { $0.isUnhandled = true }
    }

    /// Calls the delegate, and returns true if it has a method of its own.
    func isHandled(by call: () -> Void) -> Bool {
        state.withLock { $0.isUnhandled = false }
        call()
        return !state.withLock { $0.isUnhandled }
    }
}

extension CXAction: PerformableAction {
    package func begin(_ action: Action, deadline: Date, completion: ActionCompletion?) {
        adopt(action)
        state.withLock { state in
            state.timeoutDate = deadline
            if !state.hasBegun { (state.isComplete, state.isCompletedByApp) = (false, false) }
            state.hasBegun = true
            state.completion = completion
        }
    }

    package func markComplete() {
        state.withLock { $0.isComplete = true }
    }
}

extension NSCoder {
    func encode(_ uuid: UUID, forKey key: String) {
        encode(uuid.uuidString as NSString, forKey: key)
    }

    func decodeUUID(forKey key: String) -> UUID? {
        decodeObject(of: NSString.self, forKey: key).flatMap { UUID(uuidString: $0 as String) }
    }

    func decodeText(forKey key: String) -> String? {
        decodeObject(of: NSString.self, forKey: key).map { $0 as String }
    }
}
