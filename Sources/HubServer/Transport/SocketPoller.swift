import CUV
import Glibc

/// What a loop waits for: the sockets that it reads itself, and libuv for all else; one look at the kernel for both.
///
/// Edge-triggered: a socket is reported when something has come, and not again for what was left in it; `rearm` has it
/// looked at once more. A trivial view; loop's thread only.
struct SocketPoller {
    /// What is reported in place of a socket when libuv has something to do.
    static let library = UInt64.max

    /// Sockets taken from one look.
    ///
    /// More: fewer looks under load; a larger array.
    private static let capacity = 1024

    private let descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>

    /// A poller of libuv alone.
    ///
    /// - Parameter library: libuv's own descriptor.
    /// - Throws: ``TransportError/system(call:code:reason:)`` when the process has no descriptor left.
    init(library: Int32) throws(TransportError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .errno("epoll_create1") }
        var event = epoll_event(events: hub_uv_epoll_in, data: epoll_data_t(u64: Self.library))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, library, &event) == 0 else {
            let code = errno
            close(descriptor)
            throw .errno("epoll_ctl", code)
        }
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: epoll_event(), count: Self.capacity)
    }

    /// Frees its memory and its descriptor.
    func deallocate() {
        events.deallocate()
        close(descriptor)
    }

    /// Reports a socket from now on, until it is closed.
    ///
    /// - Parameters:
    ///   - socket: Its descriptor.
    ///   - name: What is reported.
    /// - Returns: False where the kernel has no room for it.
    func add(_ socket: Int32, _ name: UInt64) -> Bool {
        var event = epoll_event(events: hub_uv_epoll_edges, data: epoll_data_t(u64: name))
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
    }

    /// Reports a socket anew for what is still in it.
    ///
    /// - Parameters:
    ///   - socket: Added.
    ///   - name: As it was added.
    func rearm(_ socket: Int32, _ name: UInt64) {
        var event = epoll_event(events: hub_uv_epoll_edges, data: epoll_data_t(u64: name))
        _ = epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event)
    }

    /// Waits until there is something.
    ///
    /// - Parameter milliseconds: The longest; -1: without end.
    /// - Returns: How many there are, for the subscript.
    func wait(milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(descriptor, events, Int32(Self.capacity), milliseconds)))
    }

    /// What has something to read: the name it was added by, and whether the peer has ended it.
    ///
    /// - Parameter index: Below what `wait` returned.
    subscript(index: Int) -> (name: UInt64, isEnding: Bool) {
        (events[index].data.u64, events[index].events & hub_uv_epoll_end != 0)
    }
}
