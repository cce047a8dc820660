import CLibWebSockets
import CUV
import Glibc

/// The hub's sockets: one libuv loop with libwebsockets on it, one listener, all connections, one thread.
///
/// Not Sendable on purpose: it is made, run and used on one thread (``LaunchedLoop`` makes one for it); others talk to
/// it through ``mailbox``. Every method is for that thread, and may be called from inside any call to the handler.
final class ServerLoop {
    /// What it was made with.
    let settings: TransportSettings

    /// Who hears of everything; retained, so keep the way back unowned.
    let handler: any TransportHandler

    /// Its place among the loops of its hub.
    let place: LoopPlace

    /// For other threads.
    var mailbox: Mailbox { place.mailbox }

    /// The port it listens on, also when the settings left the choice to the kernel.
    let port: Int

    /// Who comes in, counted for all loops of the hub.
    let door: Door

    /// Which web pages may connect.
    let origins: OriginRule

    /// Connections it takes at once: the setting, or less when the process may not open that many.
    let maximumConnections: Int

    /// The table of connections: what the audio path uses, without this class.
    let connections: Connections

    /// What is counted.
    let counterMemory: UnsafeMutablePointer<TransportCounters>

    /// How busy the loop is.
    let meter: UnsafeMutablePointer<LoadMeter>

    /// How busy the loop has been for some seconds.
    private(set) var sustainedLoad: SustainedLoad

    /// Answers GET.
    let staticFiles: StaticFiles?

    /// The turn of the loop.
    let turn: LoopTurn

    /// What the receive path needs besides the table.
    let receiver: Receiver

    /// All sockets, by the number that the library keeps for us.
    var visitors: [UInt: Visitor] = [:]

    /// The number of the newest; 0: none.
    var lastVisitor: UInt = 0

    let eventLoop: EventLoop
    let poller: SocketPoller
    let listener: Listener
    let library: LibraryContext
    /// Sockets of trusted proxies whose heads have not come whole, by their numbers.
    var proxiedSockets: [UInt: ProxiedSocket] = [:]
    /// HTTP requests that wait for another loop's word.
    var lateAnswers: [OpaquePointer: LateAnswer] = [:]
    private var lastTicket: UInt64 = 0
    private var isStopping = false
    private var isTornDown = false
    private var deadline: UInt64?
    private var tick: UInt64?
    private var lastSweep: UInt64 = 0
    private var isAcceptPaused = false

    /// Binds, listens and makes everything ready; connections are served from `run()` on.
    ///
    /// - Parameters:
    ///   - settings: All that can be set.
    ///   - place: Which loop of its hub it is.
    ///   - door: That of the hub's other loops; nil: it is the only one.
    ///   - handler: Hears `started` before this returns.
    /// - Throws: What could not be had: the port, descriptors, the library's libuv plugin.
    init(
        settings: TransportSettings,
        place: LoopPlace = .alone,
        door: Door? = nil,
        handler: any TransportHandler
    ) throws(TransportError) {
        self.place = place
        self.settings = settings
        self.handler = handler
        let door = door ?? Door(settings)
        self.door = door
        maximumConnections = door.maximumConnections
        origins = OriginRule(settings)
        eventLoop = try EventLoop()
        poller = try SocketPoller(library: uv_backend_fd(eventLoop.uv))
        listener = try Listener(settings: settings, sharesPort: place.network.count > 1)
        port = listener.port
        staticFiles = settings.staticFilesDirectory.map { StaticFiles(directory: $0) }
        library = try LibraryContext(settings: settings, loop: eventLoop)
        counterMemory = .allocate(capacity: 1)
        counterMemory.initialize(to: TransportCounters())
        meter = .allocate(capacity: 1)
        meter.initialize(to: LoadMeter(at: uv_hrtime()))
        sustainedLoad = SustainedLoad(at: uv_hrtime())
        turn = LoopTurn(batch: settings.batch.wholeNanoseconds, meter: meter)
        connections = Connections(
            limits: Connections.Limits(
                settings,
                loop: place.number,
                capacity: maximumConnections,
                joinsPackets: turn.batches
            ),
            slab: FrameSlab(
                payloadBytes: settings.maximumAudioBytes,
                maximumSlots: settings.maximumQueuedPackets,
                queues: door.queues.view
            ),
            counters: counterMemory,
            queues: door.queues.view,
            clock: .loop(eventLoop.uv)
        )
        receiver = Receiver(connections: connections, turn: turn, settings: settings)
        library.user.pointee.owner = Unmanaged.passUnretained(self)
        eventLoop.tie(to: self)
        mailbox.attach(eventLoop.wakeUp)
        try listener.start(on: eventLoop.uv, for: self)
        lastSweep = connections.now
        eventLoop.startSweeping(everyMilliseconds: settings.sweepInterval.wholeMilliseconds)
        handler.started(self)
    }

    deinit {
        tearDown()
        receiver.deallocate()
        turn.deallocate()
        connections.deallocate()
        counterMemory.deallocate()
        meter.deallocate()
        poller.deallocate()
    }

    /// What is counted, now.
    var counters: TransportCounters { counterMemory.pointee }

    /// How busy the loop was in the last second.
    var load: LoadMeter.Load { meter.pointee.load(at: now) }

    /// Nanoseconds of a clock that never goes back; its zero is arbitrary.
    var now: UInt64 { uv_hrtime() }

    /// Serves until `stop()`, then closes what is left with code 1001 and frees all sockets.
    func run() {
        if turn.batches { hub_uv_sleep_exactly() }
        while !isStopping, !isTornDown { takeTurn() }
        tearDown()
    }

    /// Makes `run()` return; from another thread post it to the mailbox.
    func stop() {
        isStopping = true
    }

    /// Takes no new connections from now on; those there are stay.
    func stopListening() {
        listener.stop()
    }

    /// Has `deadlineReached` called once, not before that moment; a new call replaces the old one.
    ///
    /// - Parameter nanoseconds: By ``now``; nil for never.
    func armDeadline(at nanoseconds: UInt64?) {
        deadline = nanoseconds
        eventLoop.startDeadline(inMilliseconds: nanoseconds.map(milliseconds(until:)))
    }

    /// Rounded up.
    private func milliseconds(until nanoseconds: UInt64) -> UInt64 {
        let now = self.now
        let wait = nanoseconds > now ? nanoseconds - now : 0
        return wait / 1_000_000 + (wait % 1_000_000 == 0 ? 0 : 1)
    }

    /// The timer has fired; it may be a little early, since libuv counts from the beginning of the loop's turn.
    func deadlineTimerFired() {
        guard let deadline else { return }
        guard now >= deadline else { return armDeadline(at: deadline) }
        self.deadline = nil
        handler.deadlineReached()
    }

    /// Has `tick` called once, not before that moment; a new call replaces the old one.
    ///
    /// - Parameter nanoseconds: By ``now``; nil for never.
    func armTick(at nanoseconds: UInt64?) {
        tick = nanoseconds
        eventLoop.startTick(inMilliseconds: nanoseconds.map(milliseconds(until:)))
    }

    /// The timer has fired, perhaps a little early.
    func tickTimerFired() {
        guard let tick else { return }
        guard now >= tick else { return armTick(at: tick) }
        self.tick = nil
        handler.tick()
    }

    /// All that was there to do is done: what waited for that goes out, then the loop waits.
    func turnEnds() {
        handler.turnEnds()
        connections.flushJoined()
        turn.end(counterMemory)
    }

    /// Does what other threads asked for, and looks at what other loops have left.
    func wokenUp() {
        handler.wakesUp()
        for command in mailbox.drain() { command(self) }
        handler.wokenUp()
    }

    /// Leaves new connections in the kernel's queue until the next sweep.
    func pauseAccepting() {
        isAcceptPaused = true
        listener.pause()
    }

    /// A name for an HTTP request.
    func nextTicket() -> HTTPTicket {
        lastTicket &+= 1
        return HTTPTicket(loop: UInt16(truncatingIfNeeded: place.number), number: lastTicket)
    }

    /// Looks after everything that depends on time.
    func sweep() {
        if isAcceptPaused {
            isAcceptPaused = false
            listener.resume()
        }
        sustainedLoad.sample(busyNanoseconds: meter.pointee.busyNanoseconds, at: self.now)
        place.network.note(busyShare: sustainedLoad.busyShare, of: place.number)
        let now = connections.now
        // After a stall of the whole process what has come meanwhile is still unread: nobody was silent.
        let wasStalled = now &- lastSweep > 4 &* settings.sweepInterval.wholeMilliseconds &+ 1000
        lastSweep = now
        sweepConnections(at: now, judgingSilence: !wasStalled)
        sweepProxiedSockets(at: now)
    }

    private func tearDown() {
        guard !isTornDown else { return }
        isTornDown = true
        // What the last turn had for other loops must not be lost.
        handler.turnEnds()
        mailbox.detach()
        listener.stop()
        for socket in proxiedSockets.values { drop(socket) }
        sayGoodbye()
        library.beginDestroy()
        guard library.occupyWakeUpDescriptor() else {
            // Rather leave the memory than close another thread's file.
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
