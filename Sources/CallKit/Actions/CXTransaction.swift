package import CallSystem
public import Foundation

/// Actions that are requested and performed together.
open class CXTransaction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The UUID of the transaction.
    public let uuid: UUID
    private let list: Locked<[CXAction]>

    /// Creates a transaction without actions.
    public override convenience init() {
        self.init(actions: [])
    }

    /// Creates a transaction with one action.
    ///
    /// - Parameter action: The action.
    public convenience init(action: CXAction) {
        self.init(actions: [action])
    }

    /// Creates a transaction with several actions.
    ///
    /// - Parameter actions: The actions, in the order in which they are performed.
    public convenience init(actions: [CXAction]) {
        self.init(uuid: UUID(), actions)
    }

    /// Creates a transaction of the system.
    init(uuid: UUID, _ actions: [CXAction]) {
        self.uuid = uuid
        list = Locked(actions)
    }

    /// Creates a transaction from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [
            NSArray.self, CXStartCallAction.self, CXAnswerCallAction.self, CXEndCallAction.self,
            CXSetHeldCallAction.self, CXSetMutedCallAction.self, CXSetGroupCallAction.self, CXPlayDTMFCallAction.self,
            CXSetTranslatingCallAction.self,
        ]
        guard let uuid = coder.decodeUUID(forKey: "uuid"),
            let actions = coder.decodeObject(of: classes, forKey: "actions") as? [CXAction]
        else { return nil }
        self.uuid = uuid
        list = Locked(actions)
    }

    /// Indicates that transactions can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the transaction to an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(uuid, forKey: "uuid")
        coder.encode(NSArray(array: actions), forKey: "actions")
    }

    /// Returns a transaction with the same UUID and copies of the actions.
    open func copy(with zone: NSZone? = nil) -> Any {
        CXTransaction(uuid: uuid, actions.compactMap { $0.copy(with: zone) as? CXAction })
    }

    /// The actions in the order in which they are performed.
    open var actions: [CXAction] { list.withLock { $0 } }

    /// Indicates that all actions are complete; without actions it is true.
    open var isComplete: Bool { actions.allSatisfy(\.isComplete) }

    /// Appends an action.
    ///
    /// - Parameter action: The action, which is performed after the others.
    open func addAction(_ action: CXAction) {
        list.withLock { $0.append(action) }
    }
}

extension CXTransaction: PerformableTransaction {
    package var performableActions: [any PerformableAction] { actions }
}
