import CallKit
import Foundation

/// A call directory extension with many entries, and with each fault that one may have.
///
/// Even numbers are blocked, odd ones labelled; the entries are made one by one, never held as a list.
final class LargeDirectory: CXCallDirectoryProvider {
    static let identifier = "com.example.directory"

    /// The loads.
    enum Load: Sendable {
        /// A number of entries, in place of those before.
        case full(Int)
        /// More entries behind those of the last load, and the removal of some of them.
        case incremental(add: ClosedRange<Int64>, remove: [Int64])
        case fault(Fault)
        /// The same as `full`; it tells that it has begun, and waits for the end of a stream.
        case late(Int, began: AsyncStream<Void>.Continuation, after: AsyncStream<Void>)
    }

    /// The faults, by the name of the error that follows.
    enum Fault: String, CaseIterable, Sendable {
        case loadingInterrupted
        case entriesOutOfOrder
        case duplicateEntries
        case unexpectedIncrementalRemoval
    }

    /// The number of the first entry.
    static let first: Int64 = 10_000_000

    private let load: Load

    init(_ load: Load) {
        self.load = load
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        switch load {
        case .full(let count):
            Self.add(count, to: context)
        case .late(let count, let began, let end):
            return Self.add(count, to: context, afterEndOf: end, began)
        case .incremental(let add, let remove):
            guard context.isIncremental else {
                return context.cancelRequest(withError: CocoaError(.featureUnsupported))
            }
            for number in remove {
                if number.isMultiple(of: 2) {
                    context.removeBlockingEntry(withPhoneNumber: number)
                } else {
                    context.removeIdentificationEntry(withPhoneNumber: number)
                }
            }
            for number in add { Self.add(number, to: context) }
        case .fault(.loadingInterrupted):
            return context.cancelRequest(withError: CocoaError(.fileReadUnknown))
        case .fault(.entriesOutOfOrder):
            for number in [2, 1] { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number)) }
        case .fault(.duplicateEntries):
            for number in [1, 1] { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number)) }
        case .fault(.unexpectedIncrementalRemoval):
            // Without a look at `isIncremental` the load is a full one.
            context.removeBlockingEntry(withPhoneNumber: Self.first)
        }
        context.completeRequest()
    }

    private static func add(
        _ count: Int,
        to context: CXCallDirectoryExtensionContext,
        afterEndOf stream: AsyncStream<Void>,
        _ began: AsyncStream<Void>.Continuation
    ) {
        Task { @Sendable in
            for await _ in stream {}
            add(count, to: context)
            context.completeRequest()
        }
        began.finish()
    }

    private static func add(_ count: Int, to context: CXCallDirectoryExtensionContext) {
        for number in first..<first + Int64(count) { add(number, to: context) }
    }

    private static func add(_ number: Int64, to context: CXCallDirectoryExtensionContext) {
        if number.isMultiple(of: 2) {
            context.addBlockingEntry(withNextSequentialPhoneNumber: number)
        } else {
            context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: "Company \(number)")
        }
    }
}
