import CCurl
import HubEngine

/// The part of a ``PushSender`` that only its own thread touches: libcurl's transfers and the queue.
final class PushThread {
    private let mailbox: PushMailbox
    private let certificateAuthority: String?
    private let clock: HubClock
    private let log: HubLog
    private var queue = PushQueue()
    private var transfers = PushTransfers()

    /// libcurl's handle of all transfers; freed by `run()`.
    let multi: UnsafeMutableRawPointer

    /// Prepares libcurl; nil where it refuses.
    init?(_ mailbox: PushMailbox, _ certificateAuthority: String?, clock: HubClock, log: HubLog) {
        guard Self.isPrepared, let multi = curl_multi_init() else { return nil }
        self.mailbox = mailbox
        self.certificateAuthority = certificateAuthority
        self.clock = clock
        self.log = log
        self.multi = multi
    }

    /// The state of the library, prepared once for the process.
    private static let isPrepared = hub_curl_prepare() == CURLE_OK

    /// Works until the mailbox is stopped.
    func run() {
        while let work = mailbox.takeAll() {
            for item in work { item(self) }
            sendDueMessages()
            var running: Int32 = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { break }
            takeAnswers()
            mailbox.note(waiting: queue.count)
            // Returns at once where the mailbox has woken it since `takeAll`.
            curl_multi_poll(multi, nil, 0, millisecondsToWait, nil)
        }
        mailbox.ending()
        transfers.removeAll()
        curl_multi_cleanup(multi)
        mailbox.ended()
    }

    /// The time until something is due, at most a minute; libcurl returns earlier for its own reasons.
    private var millisecondsToWait: Int32 {
        guard let next = queue.nextDue else { return 60_000 }
        let wait = (next.since(clock.now) / .milliseconds(1)).rounded(.up)
        return Int32(min(max(wait, 0), 60_000))
    }

    // MARK: Requests of other threads

    /// Queues a message.
    ///
    /// - Parameters:
    ///   - id: The message's number.
    ///   - message: The message.
    ///   - then: Called with its outcome, on this thread.
    func add(_ id: UInt64, _ message: OutgoingPushMessage, _ then: @escaping @Sendable (PushOutcome) -> Void) {
        let entry = PushQueue.Entry(id: id, message: message, then: then, due: clock.now)
        if !queue.add(entry) { complete(entry, .dropped, "too many are queued") }
    }

    /// Withdraws a message that is not in flight.
    ///
    /// - Parameter id: The message's number.
    func withdraw(_ id: UInt64) {
        if let entry = queue.withdraw(id) { complete(entry, .withdrawn, "the call has ended") }
    }

    // MARK: Sending

    private func sendDueMessages() {
        let now = clock.now
        for id in queue.overdue(at: now) {
            transfers.remove(id)
            conclude(id, .none, "no response in time")
        }
        for entry in queue.removeExpired(at: now) { complete(entry, .late, "the call has ended") }
        for entry in queue.takeDue(at: now) {
            let isStarted = transfers.start(entry.id, entry.message, in: multi, trusting: certificateAuthority, at: now)
            if !isStarted { conclude(entry.id, .none, "it cannot be sent") }
        }
    }

    private func takeAnswers() {
        var result = CURLE_OK
        while let handle = hub_curl_next_ended(multi, &result) {
            guard let (id, answer, detail) = transfers.end(handle, result) else { continue }
            conclude(id, answer, detail)
        }
    }

    private func conclude(_ id: UInt64, _ answer: PushQueue.Answer, _ detail: String) {
        if let (entry, outcome) = queue.answered(id, answer, at: clock.now) { complete(entry, outcome, detail) }
    }

    private func complete(_ entry: PushQueue.Entry, _ outcome: PushOutcome, _ detail: String) {
        mailbox.count(outcome)
        mailbox.note(waiting: queue.count)
        let level: LogSettings.Level =
            switch outcome {
            case .accepted, .late, .withdrawn: .debug
            case .gone: .info
            case .refused, .failed, .dropped, .limited: .warning
            }
        log(
            level,
            "push",
            [
                "result": outcome.rawValue, "service": entry.message.authority, "answer": detail,
                "retries": "\(entry.attempts)",
            ]
        )
        entry.then(outcome)
    }
}
