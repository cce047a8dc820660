import CUV

/// A libuv loop with the timers and handles every hub needs; their callbacks find their owner in the handles' data.
///
/// Made, run and closed on one thread. The memory of the loop and of its handles is freed with this object.
final class EventLoop {
    /// The libuv loop.
    let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)

    /// The timer that fires every sweep interval.
    let sweepTimer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)

    /// The timer that fires at the hub's next deadline.
    let deadlineTimer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)

    /// The timer that fires when the next packets of the hub's own audio are due.
    let tickTimer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)

    /// The handle that wakes the loop up for the mailbox.
    let wakeUp = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)

    /// The callbacks of the handles, each with its handle, whose data is the owner.
    struct Callbacks {
        /// Called by each timer when it fires.
        var sweep, deadline, tick: uv_timer_cb
        /// Called after a wake-up by another thread.
        var wakeUp: uv_async_cb
        /// Called at the end of each iteration, before the loop waits.
        var beforeWait: uv_prepare_cb
    }

    private let callbacks: Callbacks

    /// The handle whose callback ends each iteration.
    private let iterationEnd = UnsafeMutablePointer<uv_prepare_t>.allocate(capacity: 1)

    private enum State {
        /// Libuv does not refer to the memory.
        case closed
        case open
        /// A handle of others is still open, by which libuv goes on to refer to the memory.
        case stuck
    }

    private var state = State.closed

    /// Creates a loop that watches nothing yet.
    ///
    /// - Parameter callbacks: The callbacks of the handles.
    /// - Throws: ``TransportError/system(call:code:reason:)`` if the process has no descriptor left.
    init(_ callbacks: Callbacks) throws(TransportError) {
        self.callbacks = callbacks
        var result = uv_loop_init(uv)
        guard result == 0 else { throw .uv("uv_loop_init", result) }
        uv_timer_init(uv, sweepTimer)
        uv_timer_init(uv, deadlineTimer)
        uv_timer_init(uv, tickTimer)
        uv_prepare_init(uv, iterationEnd)
        result = uv_async_init(uv, wakeUp, callbacks.wakeUp)
        guard result == 0 else {
            for handle in ownHandles { uv_close(handle, nil) }
            uv_run(uv, UV_RUN_DEFAULT)
            uv_loop_close(uv)
            throw .uv("uv_async_init", result)
        }
        state = .open
    }

    deinit {
        close()
        // Freeing a handle that is still open would corrupt libuv's memory; the loop is leaked instead.
        guard state == .closed else { return }
        uv.deallocate()
        sweepTimer.deallocate()
        deadlineTimer.deallocate()
        tickTimer.deallocate()
        wakeUp.deallocate()
        iterationEnd.deallocate()
    }

    /// The descriptors that are watched on the loop, including those of libraries.
    var watchedDescriptors: [Int32] {
        var found: [Int32] = []
        withUnsafeMutablePointer(to: &found) { found in
            let collect: uv_walk_cb = { handle, found in
                var descriptor: Int32 = -1
                guard let handle, handle.pointee.type == UV_POLL, uv_fileno(handle, &descriptor) == 0 else { return }
                found?.assumingMemoryBound(to: [Int32].self).pointee.append(descriptor)
            }
            uv_walk(uv, collect, found)
        }
        return found
    }

    /// Sets the owner that callbacks are for.
    ///
    /// - Parameter pointer: The owner; not retained, must live until `close()`.
    func bindCallbacks(to pointer: UnsafeMutableRawPointer) {
        sweepTimer.pointee.data = pointer
        deadlineTimer.pointee.data = pointer
        tickTimer.pointee.data = pointer
        wakeUp.pointee.data = pointer
        iterationEnd.pointee.data = pointer
    }

    /// Serves until `stop()`; before each wait the callback `beforeWait` is called.
    func run() {
        uv_prepare_start(iterationEnd, callbacks.beforeWait)
        uv_run(uv, UV_RUN_DEFAULT)
        uv_prepare_stop(iterationEnd)
    }

    /// Makes `run()` return at the end of the iteration; on the loop's thread.
    func stop() {
        uv_stop(uv)
    }

    /// Starts the sweep timer.
    ///
    /// - Parameter milliseconds: The interval in milliseconds, at least 1.
    func startSweeping(everyMilliseconds milliseconds: UInt64) {
        uv_timer_start(sweepTimer, callbacks.sweep, max(milliseconds, 1), max(milliseconds, 1))
    }

    /// Arms the deadline timer, or stops it.
    ///
    /// - Parameter milliseconds: The time from now in milliseconds; nil stops the timer.
    func startDeadline(inMilliseconds milliseconds: UInt64?) {
        if let milliseconds {
            uv_timer_start(deadlineTimer, callbacks.deadline, milliseconds, 0)
        } else {
            uv_timer_stop(deadlineTimer)
        }
    }

    /// Arms the tick timer, or stops it.
    ///
    /// - Parameter milliseconds: The time from now in milliseconds; nil stops the timer.
    func startTick(inMilliseconds milliseconds: UInt64?) {
        if let milliseconds {
            uv_timer_start(tickTimer, callbacks.tick, milliseconds, 0)
        } else {
            uv_timer_stop(tickTimer)
        }
    }

    /// Starts to close the loop's own handles; the loop must then run until nothing is left.
    func closeHandles() {
        for handle in ownHandles + [handle(wakeUp)] where uv_is_closing(handle) == 0 { uv_close(handle, nil) }
    }

    /// The handles without the wake-up handle.
    private var ownHandles: [UnsafeMutablePointer<uv_handle_t>] {
        [handle(sweepTimer), handle(deadlineTimer), handle(tickTimer), handle(iterationEnd)]
    }

    /// Closes the loop; all handles of others must be closed or closing.
    func close() {
        guard state == .open else { return }
        closeHandles()
        uv_run(uv, UV_RUN_DEFAULT)
        state = uv_loop_close(uv) == 0 ? .closed : .stuck
    }

    private func handle<Kind>(_ pointer: UnsafeMutablePointer<Kind>) -> UnsafeMutablePointer<uv_handle_t> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: uv_handle_t.self)
    }
}

extension TransportError {
    /// Creates an error from libuv's code.
    ///
    /// - Parameters:
    ///   - call: The name of the function that failed.
    ///   - code: The error code it returned, negative.
    /// - Returns: The error with libuv's description.
    static func uv(_ call: String, _ code: Int32) -> TransportError {
        .system(call: call, code: -code, reason: String(cString: uv_strerror(code)))
    }
}
