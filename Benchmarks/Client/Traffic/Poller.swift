package import BenchmarkSupport
import CLinux
import Glibc

/// Waits for sockets to be readable (epoll), to the nanosecond.
package final class Poller {
    private let descriptor: CInt
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    /// A poller without sockets.
    package init() throws(BenchmarkError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else {
            throw .system("epoll_create1")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a socket, which is reported as `number`.
    package func add(_ socket: CInt, number: Int) throws(BenchmarkError) {
        var event = epoll_event(events: hub_linux_epollin, data: epoll_data_t(u64: UInt64(number)))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else {
            throw .system("epoll_ctl")
        }
    }

    /// Removes a socket.
    package func remove(_ socket: CInt) throws(BenchmarkError) {
        guard epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil) == 0 else {
            throw .system("epoll_ctl")
        }
    }

    /// Waits at most `nanoseconds` and calls `ready` with the number of each readable socket.
    package func wait(
        nanoseconds: UInt64,
        ready: (Int) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        var limit = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        let count = epoll_pwait2(descriptor, &events, CInt(events.count), &limit, nil)
        guard count >= 0 else {
            if errno == EINTR {
                return
            }
            throw .system("epoll_pwait2")
        }
        for index in 0..<Int(count) {
            try ready(Int(events[index].data.u64))
        }
    }
}
