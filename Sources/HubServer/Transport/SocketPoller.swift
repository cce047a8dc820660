import CUV
import Glibc

/// An epoll instance for the sockets that a loop reads itself and for libuv's own descriptor: one wait for both.
///
/// Edge-triggered: a socket is reported when bytes arrive, and not again for bytes left in it; `rearm` has it reported
/// once more. A trivial view; loop's thread only.
struct SocketPoller {
    /// The identifier that is reported if libuv has events.
    static let library = UInt64.max

    /// The maximum number of events per wait.
    ///
    /// More: fewer system calls under load; a larger array.
    private static let capacity = 1024

    private let descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>

    /// Creates a poller of libuv's descriptor alone.
    ///
    /// - Parameter library: libuv's own descriptor.
    /// - Throws: ``TransportError/system(call:code:reason:)`` if the process has no descriptor left.
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

    /// Adds a socket, which is reported until it is closed.
    ///
    /// - Parameters:
    ///   - socket: The socket's descriptor.
    ///   - name: The identifier to be reported.
    /// - Returns: False if the kernel refuses.
    func add(_ socket: Int32, _ name: UInt64) -> Bool {
        var event = epoll_event(events: hub_uv_epoll_edges, data: epoll_data_t(u64: name))
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
    }

    /// Has a socket reported again if bytes are left in it.
    ///
    /// - Parameters:
    ///   - socket: The descriptor of a socket that was added.
    ///   - name: The identifier that it was added with.
    func rearm(_ socket: Int32, _ name: UInt64) {
        var event = epoll_event(events: hub_uv_epoll_edges, data: epoll_data_t(u64: name))
        _ = epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event)
    }

    /// Waits for events.
    ///
    /// - Parameter milliseconds: The maximum time in milliseconds; -1: unlimited.
    /// - Returns: The number of events, for the subscript.
    func wait(milliseconds: Int32) -> Int {
        Int(max(0, epoll_wait(descriptor, events, Int32(Self.capacity), milliseconds)))
    }

    /// The identifier of a readable socket, and a flag that is true if its peer has ended the stream.
    ///
    /// - Parameter index: The number of the event, below what `wait` returned.
    subscript(index: Int) -> (name: UInt64, isEnding: Bool) {
        (events[index].data.u64, events[index].events & hub_uv_epoll_end != 0)
    }
}
