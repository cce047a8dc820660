import Glibc

@testable import HubServer

/// The options of a connection's socket, as read from the kernel.
struct SocketOptions: Sendable {
    var noDelay: Int32
    var notSentLowWater: Int32
    var userTimeout: Int32
    var sendBuffer: Int32
    var keepAlive: Int32

    init?(of id: ConnectionID, on loop: ServerLoop) {
        guard let descriptor = loop.descriptor(of: id) else { return nil }
        func value(_ level: Int32, _ option: Int32) -> Int32 {
            var value: Int32 = -1
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, level, option, &value, &length)
            return value
        }
        noDelay = value(Int32(IPPROTO_TCP), TCP_NODELAY)
        notSentLowWater = value(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT)
        userTimeout = value(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT)
        sendBuffer = value(SOL_SOCKET, SO_SNDBUF)
        keepAlive = value(SOL_SOCKET, SO_KEEPALIVE)
    }
}
