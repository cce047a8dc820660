import CLibWebSockets
import CUV
import HubEngine

/// Everything of a `ClientLoop` that only its own thread may touch: libuv, libwebsockets, the sockets, one timer.
///
/// It is made in its thread and is not Sendable: the compiler keeps other threads out. They come in by the mailbox.
package final class LoopThread {
    private let mailbox: LoopMailbox
    private let uvLoop: UnsafeMutablePointer<uv_loop_t>
    private let timer: UnsafeMutablePointer<uv_timer_t>
    private var context: OpaquePointer?
    private var hosts: [String: OpaquePointer] = [:]
    private var sockets: [UInt: ClientSocket] = [:]
    private var lastSocketNumber: UInt = 0
    private var clients: [UInt64: SessionDriver] = [:]
    private var sleepers: [ObjectIdentifier: any LoopSleeper] = [:]
    private var armedFor: Instant?

    /// Prepares the loop; nil, with the reason in the mailbox, where the library does not work.
    init?(mailbox: LoopMailbox) {
        self.mailbox = mailbox
        uvLoop = .allocate(capacity: 1)
        timer = .allocate(capacity: 1)
        let wake = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)
        guard uv_loop_init(uvLoop) == 0, uv_timer_init(uvLoop, timer) == 0,
            uv_async_init(uvLoop, wake, { handle in loopThread(of: handle?.pointee.data)?.drainMailbox() }) == 0
        else {
            mailbox.fail("libuv could not make an event loop; is the limit of open files reached?")
            return nil
        }
        let myself = Unmanaged.passUnretained(self).toOpaque()
        wake.pointee.data = myself
        timer.pointee.data = myself
        context = makeClientContext(on: uvLoop, owner: myself)
        guard context != nil else {
            mailbox.fail("libwebsockets could not start; install libwebsockets-evlib-uv.")
            return nil
        }
        mailbox.open(wake: wake)
    }

    /// Serves until the process ends.
    func run() {
        drainMailbox()
        uv_run(uvLoop, UV_RUN_DEFAULT)
        // Not reached: the wake-up handle keeps the loop alive. Here it keeps the compiler from ending `self` early.
        withExtendedLifetime(self) {}
    }

    /// The time on the monotonic clock, by which all deadlines of this loop go.
    var now: Instant { Instant(nanoseconds: Int64(clamping: uv_hrtime())) }

    private func drainMailbox() {
        for work in mailbox.takeAll() { work(self) }
    }
}

// MARK: - Sockets

extension LoopThread {
    /// Begins to connect; what becomes of it the owner is told by its methods, perhaps from within this call.
    ///
    /// `tag` is the owner's own name for the socket.
    package func openSocket(
        _ tag: Int,
        to address: HubAddress,
        trust: CertificateTrust,
        owner: any SocketOwner
    ) -> ClientSocket {
        lastSocketNumber += 1
        let socket = ClientSocket(number: lastSocketNumber, tag: tag, owner: owner)
        sockets[socket.number] = socket
        var host: OpaquePointer?
        if address.isSecure, case .file(let path) = trust {
            host = self.host(trusting: path)
            guard host != nil else {
                socketGone(socket, reason: "\(path), the certificates to trust, cannot be read")
                return socket
            }
        }
        if !socket.connect(to: address, trust: trust, context: context, host: host) {
            socketGone(socket, reason: "its name leads nowhere, or there is no network")
        }
        return socket
    }

    /// One for each file, made when the first connection wants it.
    private func host(trusting path: String) -> OpaquePointer? {
        guard let context else { return nil }
        if let host = hosts[path] { return host }
        hosts[path] = makeClientHost(trusting: path, in: context)
        return hosts[path]
    }

    /// The socket of a connection of libwebsockets, which keeps nothing but its number.
    func socket(number: UInt) -> ClientSocket? { sockets[number] }

    /// Forgets a socket, and tells its owner unless it has let go of it.
    func socketGone(_ socket: ClientSocket, reason: String) {
        guard sockets.removeValue(forKey: socket.number) != nil else { return }
        socket.detach()?.socketEnded(socket, reason: reason)
    }
}

// MARK: - Clients

extension LoopThread {
    /// Keeps a client until it has ended.
    func add(_ driver: SessionDriver, client number: UInt64) { clients[number] = driver }

    /// The client by this number; nil once it has ended.
    func client(_ number: UInt64) -> SessionDriver? { clients[number] }

    /// The client has ended.
    func remove(client number: UInt64) { clients[number] = nil }
}

// MARK: - Time

/// Somebody on the loop's thread who wants to be woken at a time.
protocol LoopSleeper: AnyObject {
    /// When to wake it; nil: not at all.
    var deadline: Instant? { get }
    /// The deadline has passed.
    func wake()
}

extension LoopThread {
    /// Includes a sleeper from now on, until `forget`.
    func include(_ sleeper: any LoopSleeper) { sleepers[ObjectIdentifier(sleeper)] = sleeper }

    /// Wakes it no more.
    func forget(_ sleeper: any LoopSleeper) { sleepers[ObjectIdentifier(sleeper)] = nil }

    /// The sleeper's deadline may have moved.
    ///
    /// A later one needs nothing: the timer fires for nothing once and is armed anew. That keeps this a comparison,
    /// although every packet that arrives moves a deadline.
    func deadlineChanged(of sleeper: any LoopSleeper) {
        guard let deadline = sleeper.deadline else { return }
        if let armedFor, armedFor <= deadline { return }
        arm(for: deadline)
    }

    private func timerFired() {
        armedFor = nil
        let now = now
        // A copy: a sleeper that is woken may include or forget others.
        for sleeper in Array(sleepers.values) where sleeper.deadline.map({ $0 <= now }) ?? false { sleeper.wake() }
        if let next = sleepers.values.compactMap(\.deadline).min() { arm(for: next) }
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

/// The loop behind a pointer that one of the C libraries kept for us; it lives as long as the process.
func loopThread(of pointer: UnsafeMutableRawPointer?) -> LoopThread? {
    guard let pointer else { return nil }
    return Unmanaged<LoopThread>.fromOpaque(pointer).takeUnretainedValue()
}
