import CLibWebSockets

/// Strict-Transport-Security (RFC 6797).
extension ServerLoop {
    /// Makes the header line for a response; empty if it is not to be sent.
    ///
    /// A hub without a certificate does not send it (section 7.2), nor does one that is requested by an address or as
    /// `localhost`, which no browser notes (section 8.1.1).
    ///
    /// - Parameter wsi: The connection whose request is answered.
    /// - Returns: The line with its end.
    func strictTransport(_ wsi: OpaquePointer) -> String {
        guard settings.certificateFiles != nil, case .text(let host) = field(WSI_TOKEN_HOST, of: wsi) else { return "" }
        guard !OriginRule.isFixed(OriginRule.name(host.lowercased()[...])) else { return "" }
        return "strict-transport-security: max-age=\(max(settings.strictTransportSeconds, 0))\r\n"
    }
}
