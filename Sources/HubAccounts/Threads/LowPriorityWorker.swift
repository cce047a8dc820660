import Foundation

/// Runs expensive jobs such as password hashes one at a time on each of its threads, in turn for each of the clients
/// that queue them.
///
/// A password's hash takes a tenth of a second and tens of megabytes by design.
///
/// The thread has a low priority (niceness 10), so that calls are not disturbed while many users sign in.
final class LowPriorityWorker: @unchecked Sendable {
    /// A queued job, which is skipped if its result is no longer wanted.
    private struct Job {
        let isWanted: @Sendable () -> Bool
        let drop: @Sendable () -> Void
        let work: @Sendable () -> Void
    }

    private let maximumQueuedJobs: Int
    private let maximumWait: Duration?
    private let condition = NSCondition()
    // The lock protects all that follows.
    private var waiting = FairQueue<String, Job>()
    private var isEnded = false
    /// The moving average of a job's duration, with weight 1/8 for the newest.
    private var averageDuration: Duration

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: The threads' name for debuggers, at most 15 characters; the system ignores a longer name.
    ///   - threads: The number of threads. More: jobs that wait for other servers delay each other less.
    ///   - maximumQueuedJobs: The maximum number of queued jobs. More: larger bursts are accepted; the last job
    ///     waits longer.
    ///   - maximumWait: The maximum estimated wait of the last job; nil: unlimited.
    ///   - averageDuration: The initial estimate of a job's duration.
    init(
        _ name: String,
        threads: Int = 1,
        maximumQueuedJobs: Int,
        maximumWait: Duration? = nil,
        averageDuration: Duration = .zero
    ) {
        self.maximumQueuedJobs = maximumQueuedJobs
        self.maximumWait = maximumWait
        self.averageDuration = averageDuration
        for _ in 0..<threads {
            let thread = Thread { [self] in
                // Linux has a niceness for each thread.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                work()
            }
            thread.start()
            thread.name = name
        }
    }

    /// The result of queueing a job.
    enum QueueResult {
        /// The job is queued, and runs unless it is dropped or its result is no longer wanted.
        case queued
        /// The queue is full, or the wait would be too long.
        case queueFull
        /// Too many jobs are queued for the same client.
        case clientQueueFull
    }

    /// Queues a job.
    ///
    /// - Parameters:
    ///   - name: The client that the job is for; clients take turns.
    ///   - maximumPerClient: The maximum number of queued jobs of this client; nil: no limit of its own.
    ///   - isWanted: Called on any thread; once it is false the job is skipped, and leaves its place in the queue.
    ///   - drop: Called on any thread if a full queue drops the job in favour of a client with fewer jobs.
    ///   - job: The work, run on the thread.
    /// - Returns: `queued`, or the limit that refuses the job.
    func add(
        of name: String = "",
        atMost maximumPerClient: Int? = nil,
        while isWanted: @escaping @Sendable () -> Bool = { true },
        orDrop drop: (@Sendable () -> Void)? = nil,
        _ job: @escaping @Sendable () -> Void
    ) -> QueueResult {
        let (given, dropped): (QueueResult, Job?) = condition.withLock {
            if isFull || answer(to: name, maximumPerClient) != .queued { waiting.removeAll { !$0.isWanted() } }
            let answer = answer(to: name, maximumPerClient)
            guard answer == .queued else { return (answer, nil) }
            let dropped = isFull ? waiting.removeLastOfLongest(over: waiting.count(of: name) + 1) : nil
            waiting.append(Job(isWanted: isWanted, drop: drop ?? {}, work: job), of: name)
            condition.signal()
            return (.queued, dropped)
        }
        dropped?.drop()
        return given
    }

    /// Indicates that the queue is full; called with the lock held.
    private var isFull: Bool { waiting.count >= maximumQueuedJobs }

    /// Applies the limits to a new job of a client.
    ///
    /// Called with the lock held. A full queue accepts the job if another client has at least two jobs more, of which
    /// the newest is dropped.
    private func answer(to name: String, _ maximumPerClient: Int?) -> QueueResult {
        guard !isEnded, !isFull || waiting.longestCount > waiting.count(of: name) + 1 else { return .queueFull }
        if let maximumPerClient, waiting.count(of: name) >= maximumPerClient { return .clientQueueFull }
        // An empty queue accepts every job: otherwise the estimate could never decrease again.
        guard !waiting.isEmpty, let maximumWait else { return .queued }
        return averageDuration * (waiting.countBefore(next: name) + 1) <= maximumWait ? .queued : .queueFull
    }

    /// Refuses further jobs and discards the queued ones.
    func end() {
        condition.withLock {
            isEnded = true
            waiting = FairQueue()
            condition.broadcast()
        }
    }

    private func work() {
        while let job = next() {
            guard job.isWanted() else { continue }
            let start = ContinuousClock.now
            job.work()
            let took = ContinuousClock.now - start
            condition.withLock { averageDuration = (averageDuration * 7 + took) / 8 }
        }
    }

    private func next() -> Job? {
        condition.withLock {
            while waiting.isEmpty, !isEnded { condition.wait() }
            return waiting.removeFirst()
        }
    }
}
