import Foundation
import HubEngine

/// Something that waits for the store's thread.
enum StoreJob: Sendable {
    /// A call that is over; where it ends in the journal, if it is there. It is tried until it is in the file.
    case keep(JournalEntry, end: UInt64?)
    /// Anything else, tried once.
    case operation(any StoreOperation, bytes: Int)

    /// About how much memory it takes.
    var byteCount: Int {
        switch self {
        case .keep(let entry, _): entry.byteCount
        case .operation(_, let bytes): bytes + 200
        }
    }
}

/// An operation, whatever its answer is.
protocol StoreOperation: Sendable {
    /// Whether it can be in one transaction with others: what only reads the file is in none.
    var joinsOthers: Bool { get }
    /// Does it, perhaps a second time after what it did was undone.
    func run(on file: StoreFile) throws(StoreFailure)
    /// Says how it went, once, when that is certain.
    func finish(_ failure: StoreFailure?)
}

/// An operation with its answer.
///
/// What changes of it is the store's thread's alone.
final class Operation<Value: Sendable>: StoreOperation, @unchecked Sendable {
    let joinsOthers: Bool
    private let work: @Sendable (StoreFile) throws(StoreFailure) -> Value
    private let then: @Sendable (Result<Value, StoreFailure>) -> Void
    private var value: Value?

    init(
        joinsOthers: Bool = true,
        _ work: @escaping @Sendable (StoreFile) throws(StoreFailure) -> Value,
        then: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
    ) {
        self.joinsOthers = joinsOthers
        self.work = work
        self.then = then
    }

    func run(on file: StoreFile) throws(StoreFailure) {
        value = try work(file)
    }

    func finish(_ failure: StoreFailure?) {
        if let failure { return then(.failure(failure)) }
        guard let value else { return then(.failure(StoreFailure(.fault, "nothing was done"))) }
        then(.success(value))
    }
}

/// Hands one value from a thread to one that waits for it.
final class Handover<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    func give(_ value: Value) {
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
