import CLibWebSockets
import CUV
import Glibc

extension Connections {
    /// The audio packets that a connection was too slow for since the last look.
    ///
    /// - Parameter id: Any name.
    /// - Returns: Nil when it is gone, or when texts or audio wait for it: nothing should be added to these.
    func audioDroppedIfReading(by id: ConnectionID) -> UInt32? {
        guard let state = live(id), state.pointee.textBytes == 0,
            !state.pointee.flags.contains(.blocked) || state.pointee.ringCount == 0
        else { return nil }
        return state.pointee.audioDropped
    }

    /// What a connection has to tell of itself; the longest wait and the drops begin anew with each look.
    ///
    /// One system call: for the beginning and the end of an audio session, not for each packet.
    ///
    /// - Parameter id: Any name.
    /// - Returns: Nil when it is gone.
    func takeLinkState(of id: ConnectionID) -> LinkState? {
        guard let state = known(id) else { return nil }
        var link = LinkState(longestWait: state.pointee.longestWait, dropped: state.pointee.audioDropped)
        state.pointee.longestWait = 0
        state.pointee.audioDropped = 0
        guard let wsi = state.pointee.wsi else { return link }
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        if getsockopt(lws_get_socket_fd(wsi), hub_uv_level_tcp, TCP_INFO, &info, &length) == 0 {
            link.roundTrip = info.tcpi_rtt
            link.retransmissions = info.tcpi_total_retrans
        }
        return link
    }
}
