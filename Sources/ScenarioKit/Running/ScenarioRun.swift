import Foundation

/// A scenario that runs at a hub in the background, with its parties signed in.
///
/// Its deinitialization before the end interrupts the run.
public final class ScenarioRun: Sendable {
    private let accounts: Accounts
    private let progress: RunProgress
    private let interruption: Interruption

    init(_ accounts: Accounts, _ progress: RunProgress, _ interruption: Interruption) {
        (self.accounts, self.progress, self.interruption) = (accounts, progress, interruption)
    }

    deinit { interruption.interrupt() }

    /// Returns the name of a party's account at the hub, by which an app calls it.
    ///
    /// - Parameter party: The party's name in the scenario, such as `alice`.
    /// - Returns: The account's name, such as `alice-3f01a2`.
    public func account(of party: String) -> String { accounts.account(of: party) }

    /// The record of the run, available when the scenario is over.
    ///
    /// When the waiting task is cancelled, the run fails, and its parties sign out.
    ///
    /// - Throws: ``HubStartError`` if the hub could not be reached, which ``ScenarioRunner/begin(_:at:seed:)`` throws
    ///   first; the failure of a scenario is no error, but its `verdict`.
    public var record: RunResult {
        get async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { progress.whenOver($0) }
            } onCancel: {
                interruption.interrupt()
            }
        }
    }

    /// Waits until the first step has begun, or the run is over.
    func begun() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { progress.whenBegun($0) }
        } onCancel: {
            interruption.interrupt()
        }
    }
}

/// The progress of a background run; safe on any thread.
final class RunProgress: RunObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var hasBegun = false
    private var result: Result<RunResult, any Error>?
    private var waitForBegin: [CheckedContinuation<Void, any Error>] = []
    private var waitForEnd: [CheckedContinuation<RunResult, any Error>] = []

    /// Resumes a continuation when the first step has begun, or the run is over.
    func whenBegun(_ continuation: CheckedContinuation<Void, any Error>) {
        lock.withLock {
            if let result {
                continuation.resume(with: result.map { _ in })
            } else if hasBegun {
                continuation.resume()
            } else {
                waitForBegin.append(continuation)
            }
        }
    }

    /// Resumes a continuation when the run is over.
    func whenOver(_ continuation: CheckedContinuation<RunResult, any Error>) {
        lock.withLock {
            if let result { continuation.resume(with: result) } else { waitForEnd.append(continuation) }
        }
    }

    /// Notes the end of the run, and resumes all continuations.
    func end(with result: Result<RunResult, any Error>) {
        lock.withLock {
            self.result = result
            for continuation in waitForBegin { continuation.resume(with: result.map { _ in }) }
            for continuation in waitForEnd { continuation.resume(with: result) }
            (waitForBegin, waitForEnd) = ([], [])
        }
    }

    func began(_ step: StepRecord) {
        lock.withLock {
            hasBegun = true
            for continuation in waitForBegin { continuation.resume() }
            waitForBegin = []
        }
    }

    func ended(_ step: StepRecord, isFailed: Bool) {}
}
