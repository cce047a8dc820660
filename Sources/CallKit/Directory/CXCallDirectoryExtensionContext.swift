import CallSystem
public import Foundation
import HubAccountData

/// The receiver of the failure of a load.
public protocol CXCallDirectoryExtensionContextDelegate: NSObjectProtocol {
    /// The load has failed, and nothing of it is stored.
    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error)
}

/// One load of a call directory: the entries to add and to remove, in the order of their numbers.
open class CXCallDirectoryExtensionContext: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any CXCallDirectoryExtensionContextDelegate)?
        var principal: CXCallDirectoryProvider?
        var entries = DirectoryEntries()
        var isIncrementalRead = false
        var isOver = false
    }

    private let state = Locked(State())
    private let mayBeIncremental: Bool
    private let load: @Sendable (DirectoryEntries) async -> Result<Bool, CallSystemError>
    private let cancel: @Sendable (_ reason: String) async -> Void
    private let ended: @Sendable ((any Error)?) -> Void

    /// Creates the context of a load.
    ///
    /// - Parameters:
    ///   - mayBeIncremental: True if there are stored entries, to which the load may be the difference.
    ///   - load: The closure that stores the entries; its result says whether the load has expired.
    ///   - cancel: The closure that sends the hub the reason why there are no entries.
    ///   - ended: The closure that is called once, with the reason of a failure.
    init(
        mayBeIncremental: Bool,
        load: @escaping @Sendable (DirectoryEntries) async -> Result<Bool, CallSystemError>,
        cancel: @escaping @Sendable (_ reason: String) async -> Void,
        ended: @escaping @Sendable ((any Error)?) -> Void
    ) {
        (self.mayBeIncremental, self.load, self.cancel, self.ended) = (mayBeIncremental, load, cancel, ended)
    }

    deinit {
        // Neither completed nor cancelled.
        guard !state.withLock({ $0.isOver }) else { return }
        Task { [cancel, ended] in
            await cancel("The extension has neither completed nor cancelled its load.")
            ended(CXErrorCodeCallDirectoryManagerError(.loadingInterrupted))
        }
    }

    /// Begins the load by the directory's principal object, which is retained until the load is over.
    ///
    /// It may be the delegate.
    func begin(by principal: CXCallDirectoryProvider) {
        state.withLock { $0.principal = principal }
        principal.beginRequest(with: self)
    }

    /// Ends a load that takes too long: its principal object may retain it, and forget it.
    func interrupt() {
        cancel(CXErrorCodeCallDirectoryManagerError(.loadingInterrupted), for: "The extension has not ended its load.")
    }

    /// The receiver of the failure of the load, which is not retained.
    open var delegate: (any CXCallDirectoryExtensionContextDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Indicates that the load may be the difference to the stored entries.
    ///
    /// To be read before the first change; if it never is, the load replaces all entries.
    open var isIncremental: Bool {
        state.withLock { $0.isIncrementalRead = true }
        return mayBeIncremental
    }

    // MARK: Entries

    /// Blocks a number, which must be greater than the one before.
    open func addBlockingEntry(withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        state.withLock { $0.entries.blocking.append(phoneNumber) }
    }

    /// Unblocks a number; only in an incremental load.
    open func removeBlockingEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        state.withLock { $0.entries.removeBlocking.append(phoneNumber) }
    }

    /// Unblocks all numbers; only in an incremental load.
    open func removeAllBlockingEntries() {
        state.withLock { state in
            (state.entries.removesAllBlocking, state.entries.removeBlocking) = (true, [])
            state.entries.blocking = []
        }
    }

    /// Labels a number, which must not be smaller than the one before.
    open func addIdentificationEntry(
        withNextSequentialPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber,
        label: String
    ) {
        state.withLock { $0.entries.identification.append(DirectoryEntry(phoneNumber, label)) }
    }

    /// Removes all labels of a number; only in an incremental load.
    open func removeIdentificationEntry(withPhoneNumber phoneNumber: CXCallDirectoryPhoneNumber) {
        state.withLock { $0.entries.removeIdentification.append(phoneNumber) }
    }

    /// Removes all labels; only in an incremental load.
    open func removeAllIdentificationEntries() {
        state.withLock { state in
            (state.entries.removesAllIdentification, state.entries.removeIdentification) = (true, [])
            state.entries.identification = []
        }
    }

    // MARK: End

    /// Stores the entries, all or none.
    ///
    /// - Parameter completionHandler: The receiver of the end: true if the load has expired, and nothing is stored.
    open func completeRequest(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard var entries = end() else { return }
        entries.isIncremental = mayBeIncremental && state.withLock { $0.isIncrementalRead }
        Task { [self, entries] in
            let result = await load(entries)
            let error: (any Error)? = if case .failure(let error) = result { error.callKitError } else { nil }
            if let error { fail(error) }
            let isExpired = (try? result.get()) ?? false
            completionHandler?(isExpired)
            finish(isExpired ? CXErrorCodeCallDirectoryManagerError(.loadingInterrupted) : error)
        }
    }

    /// Discards the entries.
    ///
    /// - Parameter error: The reason, which the hub keeps as the directory's last error.
    open func cancelRequest(withError error: any Error) {
        cancel(error, for: error.localizedDescription)
    }

    private func cancel(_ error: any Error, for reason: String) {
        guard end() != nil else { return }
        Task { [self] in
            await cancel(reason)
            fail(error)
            finish(CXErrorCodeCallDirectoryManagerError(.loadingInterrupted))
        }
    }

    /// Takes the entries, once.
    private func end() -> DirectoryEntries? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state.entries
        }
    }

    private func finish(_ error: (any Error)?) {
        ended(error)
        let principal = state.withLock { state in
            defer { state.principal = nil }
            return state.principal
        }
        // Its end may run code of the app, which must not hold the lock.
        withExtendedLifetime(principal) {}
    }

    private func fail(_ error: any Error) {
        let delegate = state.withLock { $0.delegate }
        delegate?.requestFailed(for: self, withError: error)
    }
}
