import Foundation

/// Runs blocking work on a thread of its own, so that the tests' own threads stay free.
///
/// - Parameter work: The function that blocks.
/// - Returns: The result of the work.
/// - Throws: The error that the work throws.
public func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(OneThreadEach()) { try await run(work) }
}

@concurrent
private func run<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
    try work()
}

/// Runs each job of a task on a new thread; the task stays the same, so that failures are recorded for its test.
private final class OneThreadEach: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        thread.start()
    }
}
