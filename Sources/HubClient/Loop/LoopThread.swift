import CLibWebSockets
import CUV
import HubEngine
import LoopMailbox

/// The reason that a loop cannot run.
struct LoopFailure: Error {
    /// The reason as a sentence.
    let reason: String
}

/// The state of a `ClientLoop` that only its own thread may access: libuv, libwebsockets, the sockets, one timer.
///
/// It is created on its thread and is not Sendable: the compiler rejects access by others, which use the mailbox.
package final class LoopThread {
    private let mailbox: Mailbox<LoopThread>
    private let uvLoop: UnsafeMutablePointer<uv_loop_t>
    private let timer: UnsafeMutablePointer<uv_timer_t>
    private var context: OpaquePointer?
    private var hosts: [String: OpaquePointer] = [:]
    private var sockets: [UInt: ClientSocket] = [:]
    private var lastSocketNumber: UInt = 0
    private var deadlineHandlers: [ObjectIdentifier: any DeadlineHandler] = [:]
    private var armedFor: Instant?

    /// Prepares the loop and attaches its mailbox.
    ///
    /// - Parameter mailbox: The queue of closures from other threads.
    /// - Throws: The reason, if a library does not work.
    init(mailbox: Mailbox<LoopThread>) throws(LoopFailure) {
        self.mailbox = mailbox
        uvLoop = .allocate(capacity: 1)
        timer = .allocate(capacity: 1)
        let wake = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
        guard uv_loop_init(uvLoop) == 0, uv_timer_init(uvLoop, timer) == 0,
            uv_async_init(uvLoop, wake, { handle in loopThread(of: handle?.pointee.data)?.drainMailbox() }) == 0
        else {
            throw LoopFailure(reason: "libuv could not make an event loop; is the limit of open files reached?")
        }
        let myself = Unmanaged.passUnretained(self).toOpaque()
        wake.pointee.data = myself
        timer.pointee.data = myself
        context = makeClientContext(on: uvLoop, delegate: myself)
        guard context != nil else {
            throw LoopFailure(reason: "libwebsockets could not start; install libwebsockets-evlib-uv.")
        }
        mailbox.attach(wake)
    }

    /// Runs the loop until the process ends.
    func run() {
        drainMailbox()
        uv_run(uvLoop, UV_RUN_DEFAULT)
        // Not reached: the wake-up handle keeps the loop alive. Here it keeps the compiler from ending `self` early.
        withExtendedLifetime(self) {}
    }

    /// The time on the monotonic clock, to which all deadlines of this loop refer.
    var now: Instant { Instant(nanoseconds: Int64(clamping: uv_hrtime())) }

    private func drainMailbox() {
        for work in mailbox.drain() { work(self) }
    }
}

// MARK: - Sockets

extension LoopThread {
    /// Starts to connect; the owner is notified of the outcome by its methods, perhaps from within this call.
    ///
    /// `tag` is the owner's number for the socket.
    package func openSocket(
        _ tag: Int,
        to address: HubAddress,
        trust: CertificateTrust,
        delegate: any ClientSocketDelegate
    ) -> ClientSocket {
        lastSocketNumber += 1
        var host: OpaquePointer?
        var failure: String?
        if address.isSecure, case .file(let path) = trust {
            host = self.host(trusting: path)
            if host == nil { failure = "\(path), the certificates to trust, cannot be read" }
        }
        let destination = ClientSocket.Destination(address: address, trust: trust, virtualHost: host)
        let socket = ClientSocket(number: lastSocketNumber, tag: tag, to: destination, delegate: delegate)
        sockets[socket.number] = socket
        if let failure { removeSocket(socket, reason: failure) } else { connect(socket) }
        return socket
    }

    /// Starts an attempt to the next address of a socket's host.
    private func connect(_ socket: ClientSocket) {
        let number = socket.number
        // The library may have reported the failure from within the call.
        guard !socket.connect(context: context), sockets[number] === socket else { return }
        connectionFailed(socket, reason: "its host name cannot be resolved, or there is no network")
    }

    /// Tries the next address of a socket's host in a later iteration, or removes the socket.
    func connectionFailed(_ socket: ClientSocket, reason: String) {
        guard socket.canRetry else { return removeSocket(socket, reason: reason) }
        sockets[socket.number] = nil
        lastSocketNumber += 1
        let number = lastSocketNumber
        socket.retry(as: number)
        sockets[number] = socket
        mailbox.post { loop in
            guard let socket = loop.sockets[number] else { return }
            if socket.canRetry { loop.connect(socket) } else { loop.removeSocket(socket, reason: reason) }
        }
    }

    /// Returns the virtual host for a file of trusted certificates, created at its first use.
    private func host(trusting path: String) -> OpaquePointer? {
        guard let context else { return nil }
        if let host = hosts[path] { return host }
        hosts[path] = makeClientHost(trusting: path, in: context)
        return hosts[path]
    }

    /// Returns the socket for the number that libwebsockets stores with a connection.
    func socket(number: UInt) -> ClientSocket? { sockets[number] }

    /// Removes a socket, and notifies its owner unless that was cleared.
    func removeSocket(_ socket: ClientSocket, reason: String) {
        guard sockets.removeValue(forKey: socket.number) != nil else { return }
        socket.detach()?.socketEnded(socket, reason: reason)
    }
}

// MARK: - Time

/// An object on the loop's thread with a deadline.
protocol DeadlineHandler: AnyObject {
    /// The next deadline; nil: none.
    var deadline: Instant? { get }
    /// Called when the deadline has passed.
    func wake()
}

extension LoopThread {
    /// Adds a deadline handler, until `remove`.
    func add(_ handler: any DeadlineHandler) { deadlineHandlers[ObjectIdentifier(handler)] = handler }

    /// Removes a deadline handler.
    func remove(_ handler: any DeadlineHandler) { deadlineHandlers[ObjectIdentifier(handler)] = nil }

    /// Rearms the timer if the handler's deadline is now the earliest.
    ///
    /// A later deadline needs nothing: the timer fires once without effect and is armed anew. That keeps this a
    /// comparison, although every received packet moves a deadline.
    func deadlineChanged(of handler: any DeadlineHandler) {
        guard let deadline = handler.deadline else { return }
        if let armedFor, armedFor <= deadline { return }
        arm(for: deadline)
    }

    private func timerFired() {
        armedFor = nil
        let now = now
        // A copy: a handler may add or remove others during its call.
        for handler in Array(deadlineHandlers.values) where handler.deadline.map({ $0 <= now }) ?? false {
            handler.wake()
        }
        if let next = deadlineHandlers.values.compactMap(\.deadline).min() { arm(for: next) }
    }

    private func arm(for deadline: Instant) {
        armedFor = deadline
        uv_update_time(uvLoop)
        let wait = max(deadline.since(now).wholeNanoseconds, 0)
        // Rounded up: a timer that fires early would find nothing due and be armed again at once.
        uv_timer_start(
            timer,
            { handle in loopThread(of: handle?.pointee.data)?.timerFired() },
            UInt64(wait / 1_000_000 + 1),
            0
        )
    }
}

/// Returns the loop of a pointer that is stored by a C library; it lives as long as the process.
func loopThread(of pointer: UnsafeMutableRawPointer?) -> LoopThread? {
    guard let pointer else { return nil }
    return Unmanaged<LoopThread>.fromOpaque(pointer).takeUnretainedValue()
}
