import CUV
import Glibc
import LoopMailbox

/// A libuv loop with libwebsockets on it, a listener and a table of connections, all on one thread.
///
/// Deliberately not Sendable: it is made, run and used on one thread (``EventLoopGroup`` makes it there); other threads
/// use its ``mailbox``. Every method is for that thread, and may be called from inside any call to the handler.
final class ServerLoop {
    /// The settings of the transport.
    let settings: TransportSettings

    /// The receiver of all events; retained, so its reference to the loop must be unowned.
    let handler: any TransportHandler

    /// The same object as the receiver of messages, so that none of them converts it.
    let messages: any MessageReceiver

    /// The loop's number and the context of its hub's loops.
    let loopIndex: LoopIndex

    /// The queue of closures from other threads.
    var mailbox: Mailbox<ServerLoop> { loopIndex.mailbox }

    /// The port that the loop listens on, even if the kernel has chosen it.
    let port: Int

    /// The limits on sockets and requests, shared by all loops of the hub.
    let connectionLimiter: ConnectionLimiter

    /// The check of the Origin header.
    let origins: OriginRule

    /// The maximum number of connections: the setting, or less if the process may not open that many.
    let maximumConnections: Int

    /// The table of connections, which the audio path uses without this class.
    let connections: Connections

    /// The assembler of messages.
    let assembler: MessageAssembler

    /// The counters of the transport.
    let counterMemory: UnsafeMutablePointer<TransportCounters>

    /// The load meter.
    let meter: UnsafeMutablePointer<LoadMeter>

    /// The utilisation of the loop, averaged over some seconds.
    private(set) var sustainedLoad: SustainedLoad

    /// The files that answer GET; nil for none.
    let staticFiles: StaticFiles?

    /// The state of the loop's iterations.
    let iteration: LoopIteration

    /// The accepted sockets, by the number that is their user data in libwebsockets.
    var acceptedSockets: [UInt: AcceptedSocket] = [:]

    /// The number of the newest socket; 0: none.
    var lastSocketNumber: UInt = 0

    let eventLoop: EventLoop
    let listener: Listener
    /// The listener of the redirect port; nil: none.
    let redirectListener: Listener?
    let library: LWSContext
    /// The sockets of trusted proxies whose request heads are not complete, by their numbers.
    var proxiedSockets: [UInt: ProxiedSocket] = [:]
    /// The HTTP requests that are to be answered by another loop.
    var deferredResponses: [LWSRequest: DeferredResponse] = [:]
    private let table: ConnectionTable
    private let meterMemory: UniqueMemory<LoadMeter>
    private let batching: UniqueMemory<LoopIteration.State>
    private let thread: pthread_t
    private var lastRequestID: UInt64 = 0
    private var isStopping = false
    private(set) var isClosingDown = false
    private var isTornDown = false
    private var deadline: UInt64?
    private var tick: UInt64?
    private var lastSweep: UInt64 = 0
    private var isAcceptPaused = false

    /// Binds, listens and prepares everything; connections are served from `run()` on.
    ///
    /// - Parameters:
    ///   - settings: The settings of the transport.
    ///   - loopIndex: The loop's number and the context of its hub's loops.
    ///   - connectionLimiter: The limits shared with the hub's other loops; nil if it is the only one.
    ///   - handler: The receiver of all events; its `started` is called before this returns.
    /// - Throws: Any ``TransportError``: of the host and port, the certificate, the libuv plugin or the system.
    init(
        settings: TransportSettings,
        loopIndex: LoopIndex = .onlyLoop,
        connectionLimiter: ConnectionLimiter? = nil,
        handler: any TransportHandler
    ) throws(TransportError) {
        self.loopIndex = loopIndex
        self.settings = settings
        self.handler = handler
        messages = handler
        thread = pthread_self()
        let connectionLimiter = connectionLimiter ?? ConnectionLimiter(settings)
        self.connectionLimiter = connectionLimiter
        maximumConnections = connectionLimiter.maximumConnections
        origins = OriginRule(settings)
        eventLoop = try EventLoop(Self.callbacks)
        let sharesPort = loopIndex.context.count > 1
        listener = try Listener(settings: settings, port: settings.port, sharesPort: sharesPort)
        port = listener.port
        let redirectPort = settings.usesTLS ? settings.redirectPort : nil
        redirectListener = try redirectPort.map { port throws(TransportError) in
            try Listener(settings: settings, port: port, sharesPort: sharesPort)
        }
        staticFiles = settings.staticFilesDirectory.map { StaticFiles(directory: $0) }
        let sockets = max(settings.maximumConnections, 1).addingReportingOverflow(ConnectionLimiter.reserve)
            .partialValue
        library = try LWSContext(
            settings: settings,
            maximumSockets: sockets,
            loop: eventLoop,
            callback: onLibraryEvent
        )
        meterMemory = UniqueMemory(LoadMeter(at: uv_hrtime()))
        batching = UniqueMemory(LoopIteration.State())
        meter = meterMemory.pointer
        sustainedLoad = SustainedLoad(at: uv_hrtime())
        iteration = LoopIteration(batch: settings.batch.wholeNanoseconds, state: batching.pointer, meter: meter)
        table = ConnectionTable(
            limits: Connections.Limits(
                settings,
                loop: loopIndex.number,
                capacity: maximumConnections,
                coalescesPackets: iteration.batches
            ),
            settings: settings,
            queues: connectionLimiter.queues,
            clock: .loop(eventLoop.uv)
        )
        connections = table.view
        counterMemory = table.counters.pointer
        assembler = MessageAssembler(connections: connections, iteration: iteration, settings: settings)
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        library.user.pointee.owner = pointer
        eventLoop.bindCallbacks(to: pointer)
        mailbox.attach(eventLoop.wakeUp)
        try listener.start(on: eventLoop.uv) { [unowned self] in acceptConnections(from: $0, of: .main) }
        try redirectListener?.start(on: eventLoop.uv) { [unowned self] in acceptConnections(from: $0, of: .redirect) }
        lastSweep = connections.now
        eventLoop.startSweeping(everyMilliseconds: settings.sweepInterval.wholeMilliseconds)
        handler.started(self)
    }

    deinit {
        tearDown()
    }

    /// Stops the program in a debug build if the caller is on another thread than the loop's.
    func assertOnLoop(_ function: StaticString = #function) {
        assert(pthread_equal(pthread_self(), thread) != 0, "\(function) must be called on the loop's thread")
    }

    /// A copy of the counters.
    var counters: TransportCounters { counterMemory.pointee }

    /// The utilisation of the loop in the last second.
    var load: LoadMeter.Load { meter.pointee.load(at: now) }

    /// The monotonic time in nanoseconds; its zero is arbitrary.
    var now: UInt64 { uv_hrtime() }

    /// Serves until `stop()`, then closes open connections with code 1001 and frees all sockets.
    func run() {
        assertOnLoop()
        if iteration.batches { hub_uv_sleep_exactly() }
        if !isStopping, !isTornDown { eventLoop.run() }
        tearDown()
    }

    /// Makes `run()` return; other threads post it to the mailbox.
    func stop() {
        assertOnLoop()
        // libuv would leave handles unserved that are being closed.
        guard !isTornDown else { return }
        isStopping = true
        eventLoop.stop()
    }

    /// Closes all connections with code 1001, and stops when their peers have answered or `closeTimeout` is over.
    ///
    /// The kernel resets a socket that is closed with unread input: its peer would lose the last texts.
    func stopAfterClosing() {
        assertOnLoop()
        guard !isClosingDown else { return }
        isClosingDown = true
        stopListening()
        closeAll()
        stopIfAllAreClosed()
    }

    /// Stops if the loop closes down and has no connection left.
    func stopIfAllAreClosed() {
        if isClosingDown, counterMemory.pointee.connections == 0 { stop() }
    }

    /// Stops listening; open connections stay.
    func stopListening() {
        assertOnLoop()
        listener.stop()
        redirectListener?.stop()
    }

    /// Schedules one call of `deadlineReached`, not before a given time; a new call replaces the old one.
    ///
    /// - Parameter nanoseconds: The time by ``now``; nil cancels.
    func armDeadline(at nanoseconds: UInt64?) {
        assertOnLoop()
        deadline = nanoseconds
        eventLoop.startDeadline(inMilliseconds: nanoseconds.map(milliseconds(until:)))
    }

    /// The time from now in milliseconds, rounded up.
    private func milliseconds(until nanoseconds: UInt64) -> UInt64 {
        let now = self.now
        let wait = nanoseconds > now ? nanoseconds - now : 0
        return wait / 1_000_000 + (wait % 1_000_000 == 0 ? 0 : 1)
    }

    /// Handles the timer; it may fire a little early, since libuv counts from the start of the loop's iteration.
    func deadlineTimerFired() {
        guard let deadline else { return }
        guard now >= deadline else { return armDeadline(at: deadline) }
        self.deadline = nil
        handler.deadlineReached()
    }

    /// Schedules one call of `tick`, not before a given time; a new call replaces the old one.
    ///
    /// - Parameter nanoseconds: The time by ``now``; nil cancels.
    func armTick(at nanoseconds: UInt64?) {
        assertOnLoop()
        tick = nanoseconds
        eventLoop.startTick(inMilliseconds: nanoseconds.map(milliseconds(until:)))
    }

    /// Handles the timer, which may fire a little early.
    func tickTimerFired() {
        guard let tick else { return }
        guard now >= tick else { return armTick(at: tick) }
        self.tick = nil
        handler.tick()
    }

    /// Ends an iteration: writes the packets queued for its end; then the loop waits.
    func iterationEnds() {
        handler.iterationEnds()
        connections.flushCoalesced()
        iteration.end(counterMemory)
    }

    /// Runs the closures that other threads have posted, and lets the handler drain other loops' rings.
    func handleWakeUp() {
        handler.willHandleWakeUp()
        for command in mailbox.drain() { command(self) }
        handler.handleWakeUp()
    }

    /// Pauses accepting until the next sweep; new connections stay in the kernel's queue.
    func pauseAccepting() {
        isAcceptPaused = true
        listener.pause()
        redirectListener?.pause()
    }

    /// Creates the identifier of an HTTP request.
    func nextRequestID() -> HTTPRequestID {
        lastRequestID &+= 1
        return HTTPRequestID(loop: UInt16(truncatingIfNeeded: loopIndex.number), number: lastRequestID)
    }

    /// Handles all timeouts and samples the load.
    func sweep() {
        if isAcceptPaused {
            isAcceptPaused = false
            listener.resume()
            redirectListener?.resume()
        }
        sustainedLoad.sample(busyNanoseconds: meter.pointee.busyNanoseconds, at: self.now)
        loopIndex.context.publish(busyShare: sustainedLoad.busyShare, of: loopIndex.number)
        let now = connections.now
        // After a stall of the whole process its input is still unread: no peer counts as silent.
        let wasStalled = now &- lastSweep > 4 &* settings.sweepInterval.wholeMilliseconds &+ 1000
        lastSweep = now
        sweepConnections(at: now, enforcingSilenceTimeout: !wasStalled)
        sweepProxiedSockets(at: now)
    }

    private func tearDown() {
        guard !isTornDown else { return }
        isTornDown = true
        // The handler still has to flush what the last iteration has for other loops.
        handler.iterationEnds()
        mailbox.detach()
        stopListening()
        for socket in proxiedSockets.values { drop(socket) }
        closeAll()
        library.beginDestroy()
        guard library.occupyWakeUpDescriptor() else {
            // Rather leak the memory than close another thread's file.
            _ = Unmanaged.passRetained(library)
            _ = Unmanaged.passRetained(eventLoop)
            return
        }
        eventLoop.closeHandles()
        uv_run(eventLoop.uv, UV_RUN_DEFAULT)
        library.finishDestroy()
        eventLoop.close()
    }
}
