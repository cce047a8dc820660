import CUV
import LoopMailbox

/// A libuv loop with nothing but a mailbox, on the thread that makes it.
final class TestLoop {
    /// The error code of a libuv function.
    struct Failure: Error {
        let code: CInt
    }

    /// The numbers that closures have noted.
    var received: [Int] = []
    /// The number of wake-ups.
    private(set) var wakeUps = 0

    private let mailbox: Mailbox<TestLoop>
    private let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    private let wakeUp = UnsafeMutablePointer<uv_async_t>.allocate(capacity: 1)

    init(_ mailbox: Mailbox<TestLoop>) throws(Failure) {
        self.mailbox = mailbox
        var result = uv_loop_init(uv)
        guard result == 0 else { throw Failure(code: result) }
        result = uv_async_init(uv, wakeUp) { handle in
            guard let owner = handle?.pointee.data else { return }
            Unmanaged<TestLoop>.fromOpaque(owner).takeUnretainedValue().handleWakeUp()
        }
        guard result == 0 else { throw Failure(code: result) }
        wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        mailbox.attach(wakeUp)
    }

    deinit {
        mailbox.detach()
        uv_close(UnsafeMutableRawPointer(wakeUp).assumingMemoryBound(to: uv_handle_t.self), nil)
        uv_run(uv, UV_RUN_DEFAULT)
        uv_loop_close(uv)
        wakeUp.deallocate()
        uv.deallocate()
    }

    /// Runs one iteration, without waiting.
    func runOnce() { uv_run(uv, UV_RUN_NOWAIT) }

    /// Runs until a closure calls `stop()`.
    func runUntilStopped() { uv_run(uv, UV_RUN_DEFAULT) }

    /// Ends the run after this iteration.
    func stop() { uv_stop(uv) }

    private func handleWakeUp() {
        wakeUps += 1
        for command in mailbox.drain() { command(self) }
    }
}
