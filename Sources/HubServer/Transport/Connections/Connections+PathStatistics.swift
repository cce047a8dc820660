import CUV
import Glibc

extension Connections {
    /// Counts the audio packets that a connection was too slow for since ``takePathStatistics(of:)``.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: The number; nil if it is closed, or has texts or audio queued, to which nothing should be added.
    package func audioDroppedIfWritable(by id: ConnectionID) -> UInt32? {
        guard let state = stateIfOpen(id), state.pointee.queuedTextBytes == 0,
            !state.pointee.isBlocked || state.pointee.ringCount == 0
        else { return nil }
        return state.pointee.audioDropped
    }

    /// Reads a connection's path statistics and resets its longest wait and its dropped packets.
    ///
    /// One system call: meant for the beginning and the end of an audio session, not for each packet.
    ///
    /// - Parameter id: The connection; may be closed already.
    /// - Returns: The statistics since the last call; nil if the connection is closed.
    package func takePathStatistics(of id: ConnectionID) -> PathStatistics? {
        guard let state = stateIfPresent(id) else { return nil }
        var path = PathStatistics(longestQueueTime: state.pointee.longestQueueTime, dropped: state.pointee.audioDropped)
        state.pointee.longestQueueTime = 0
        state.pointee.audioDropped = 0
        guard let socket = state.pointee.socket else { return path }
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        if getsockopt(socket.descriptor, hub_uv_level_tcp, TCP_INFO, &info, &length) == 0 {
            path.roundTrip = info.tcpi_rtt
            path.retransmissions = info.tcpi_total_retrans
        }
        return path
    }
}

/// The network path of a connection, as sampled since the last call of ``Connections/takePathStatistics(of:)``.
package struct PathStatistics: Sendable {
    /// The longest time that an audio packet was queued since the last sample, in milliseconds.
    var longestQueueTime: UInt32 = 0
    /// Audio packets dropped since the last sample.
    var dropped: UInt32 = 0
    /// The kernel's smoothed round-trip time, in microseconds.
    var roundTrip: UInt32 = 0
    /// Segments retransmitted since the connection began.
    var retransmissions: UInt32 = 0
}
