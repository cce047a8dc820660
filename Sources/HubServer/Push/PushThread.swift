import CLibWebSockets
import Foundation
import HubEngine

/// Everything of a `PushSender` that only its own thread may touch: the library's context, the requests, the queue.
///
/// The library's own poll loop serves it: it is for itself, and can be ended.
final class PushThread {
    private let mailbox: PushMailbox
    private let clock: HubClock
    private let log: HubLog
    private var queue = PushQueue()
    private var requests: [UInt: PushRequestUnderWay] = [:]
    private var lastRequest: UInt = 0
    private let alarm: UnsafeMutablePointer<Alarm>
    private(set) var context: OpaquePointer?

    /// The library's timer, and behind it what its callback needs.
    private struct Alarm {
        var timer = lws_sorted_usec_list_t()
        var context: OpaquePointer?
    }

    /// Prepares it; nil where the library would not.
    init?(_ mailbox: PushMailbox, _ certificateAuthority: String?, clock: HubClock, log: HubLog) {
        self.mailbox = mailbox
        self.clock = clock
        self.log = log
        alarm = .allocate(capacity: 1)
        alarm.initialize(to: Alarm())
        LibraryLog.install()
        let owner = Unmanaged.passUnretained(self).toOpaque()
        context = makePushContext(trusting: certificateAuthority, owner: owner)
        guard context != nil else { return nil }
        alarm.pointee.context = context
    }

    deinit {
        alarm.deallocate()
    }

    /// Works until the mailbox is stopped.
    func run() {
        guard let context else { return }
        while let work = mailbox.takeAll() {
            for item in work { item(self) }
            sendWhatIsDue()
            mailbox.note(waiting: queue.count)
            setAlarm()
            // Returns after each event: woken, or the alarm, or a socket.
            guard lws_service(context, 0) >= 0 else { break }
        }
        mailbox.ending()
        requests = [:]
        LibraryContext.creationLock.withLock { lws_context_destroy(context) }
        self.context = nil
        mailbox.ended()
    }

    private func setAlarm() {
        alarm.withMemoryRebound(to: lws_sorted_usec_list_t.self, capacity: 1) { timer in
            guard let next = queue.nextDue else {
                return lws_sul_schedule(context, 0, timer, nil, lws_usec_t(LWS_SET_TIMER_USEC_CANCEL))
            }
            let wait = max(0, next.since(clock.now) / .microseconds(1))
            // What is due when the library is about to wait is done before, and the wait begins all the same: so end it.
            let ring: sul_cb_t = { timer in
                let alarm = UnsafeMutableRawPointer(timer)?.assumingMemoryBound(to: Alarm.self)
                if let context = alarm?.pointee.context { lws_cancel_service(context) }
            }
            lws_sul_schedule(context, 0, timer, ring, lws_usec_t(wait) + 1)
        }
    }

    // MARK: What others ask

    /// Takes a post.
    func add(_ id: UInt64, _ post: PushPost, _ then: @escaping @Sendable (PushOutcome) -> Void) {
        let entry = PushQueue.Entry(id: id, post: post, then: then, due: clock.now)
        if !queue.add(entry) { settle(entry, .dropped, "too many wait") }
    }

    /// Takes a post back.
    func withdraw(_ id: UInt64) {
        if let entry = queue.withdraw(id) { settle(entry, .withdrawn, "the call is over") }
    }

    // MARK: Sending

    private func sendWhatIsDue() {
        let now = clock.now
        for id in queue.overdue(at: now) {
            for (number, request) in requests where request.id == id {
                requests[number] = nil
                request.kill()
            }
            conclude(id, .none, "no answer in time")
        }
        for entry in queue.removeLate(at: now) { settle(entry, .late, "the call is over") }
        for entry in queue.take(at: now) {
            lastRequest += 1
            let number = lastRequest
            let request = PushRequestUnderWay(entry.id, entry.post, at: now)
            requests[number] = request
            if !request.begin(in: context, number: number) { over(number, .none, "it cannot be reached") }
        }
    }

    /// The request of that number; nil: it is over already.
    func request(_ number: UInt) -> PushRequestUnderWay? { requests[number] }

    /// A request has come to its end.
    func over(_ number: UInt, _ answer: PushQueue.Answer, _ words: String) {
        guard let request = requests.removeValue(forKey: number) else { return }
        conclude(request.id, answer, words)
    }

    private func conclude(_ id: UInt64, _ answer: PushQueue.Answer, _ words: String) {
        if let (entry, outcome) = queue.answered(id, answer, at: clock.now) { settle(entry, outcome, words) }
    }

    private func settle(_ entry: PushQueue.Entry, _ outcome: PushOutcome, _ words: String) {
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
                "result": outcome.rawValue, "service": entry.post.authority, "answer": words,
                "retries": "\(entry.attempts)",
            ]
        )
        entry.then(outcome)
    }
}

/// Makes a context of libwebsockets for requests; `owner` is handed to every callback.
///
/// - Parameters:
///   - certificateAuthority: A PEM file beside the system's.
///   - owner: The sender's thread.
/// - Returns: Nil where the library would not.
private func makePushContext(trusting certificateAuthority: String?, owner: UnsafeMutableRawPointer) -> OpaquePointer? {
    // The library keeps these as long as the context: a process has one sender or few.
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = PushRequestUnderWay.protocolName
    protocols[0].callback = onPushEvent
    var info = lws_context_creation_info()
    info.port = CONTEXT_PORT_NO_LISTEN
    info.options = hub_lws_push_options
    info.protocols = UnsafePointer(protocols)
    info.gid = -1
    info.uid = -1
    info.user = owner
    // Its own patience with each step, 5 s by default; the queue's with the whole is shorter.
    info.timeout_secs = 30
    // The request's head is written into it: address, authorization and the rest.
    info.pt_serv_buf_size = 16_384
    info.max_http_header_data2 = 8_192
    return "".withCString { empty in
        // Else the library would take a proxy from the environment.
        info.http_proxy_address = empty
        return LibraryContext.creationLock.withLock {
            guard let certificateAuthority else { return lws_create_context(&info) }
            return certificateAuthority.withCString { path in
                info.client_ssl_ca_filepath = path
                return lws_create_context(&info)
            }
        }
    }
}
