import Foundation

/// Does something that blocks on a thread of its own, so that the tests' own threads stay free.
///
/// - Parameter work: What blocks.
/// - Returns: Its result.
/// - Throws: What it throws.
public func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(OneThreadEach()) { try await run(work) }
}

@concurrent
private func run<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
    try work()
}

/// Runs each piece of a task on a thread made for it; the task stays itself, so that a failed expectation knows its test.
private final class OneThreadEach: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        thread.start()
    }
}
