import Foundation
import HubEngine

/// An operation in the store's queue.
enum StoreJob: Sendable {
    /// A completed call, retried until it is stored; `end` is its end in the journal, if it is there.
    case addRecent(JournalEntry, end: UInt64?)
    /// Any other operation, tried once.
    case operation(any StoreOperation, bytes: Int)

    /// True for a completed call, an entry of Recents.
    var isRecent: Bool {
        if case .addRecent = self { true } else { false }
    }

    /// The approximate memory in bytes.
    var byteCount: Int {
        switch self {
        case .addRecent(let entry, _): entry.byteCount
        case .operation(_, let bytes): bytes + 200
        }
    }
}

/// An operation with a result of any type.
protocol StoreOperation: Sendable {
    /// Indicates that the operation may share a transaction with others; one that only reads uses none.
    var sharesTransaction: Bool { get }
    /// Runs the operation; may be called a second time after its first transaction was rolled back.
    func run(on file: StoreFile) throws(StoreError)
    /// Reports the result, once, when it is committed or has failed.
    func finish(_ failure: StoreError?)
}

/// An operation with its result.
///
/// Its mutable state is used by the store's thread only.
final class TypedStoreOperation<Value: Sendable>: StoreOperation, @unchecked Sendable {
    let sharesTransaction: Bool
    private let work: @Sendable (StoreFile) throws(StoreError) -> Value
    private let then: @Sendable (Result<Value, StoreError>) -> Void
    private var value: Value?

    init(
        sharesTransaction: Bool = true,
        _ work: @escaping @Sendable (StoreFile) throws(StoreError) -> Value,
        then: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        self.sharesTransaction = sharesTransaction
        self.work = work
        self.then = then
    }

    func run(on file: StoreFile) throws(StoreError) {
        value = try work(file)
    }

    func finish(_ failure: StoreError?) {
        if let failure { return then(.failure(failure)) }
        guard let value else { return then(.failure(StoreError(.fault, "the operation returned no result"))) }
        // A batch keeps its operations to its end, and a value may have megabytes.
        self.value = nil
        then(.success(value))
    }
}

/// Passes one value from a thread to another that waits for it.
final class BlockingResult<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    func set(_ value: Value) {
        condition.withLock {
            self.value = value
            condition.broadcast()
        }
    }

    func take() -> Value {
        condition.withLock {
            while true {
                if let value { return value }
                condition.wait()
            }
        }
    }
}
