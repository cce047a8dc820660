/// Strict-Transport-Security (RFC 6797).
enum StrictTransportSecurity {
    /// Makes the header line for a response; empty if it is not to be sent.
    ///
    /// A hub without a certificate does not send it (section 7.2), nor does one that is requested by an address or as
    /// `localhost`, which no browser notes (section 8.1.1).
    ///
    /// - Parameters:
    ///   - host: The Host header of the request.
    ///   - settings: The certificate and the maximum age.
    /// - Returns: The line with its end.
    static func line(host: FieldValue, _ settings: TransportSettings) -> String {
        guard settings.certificateFiles != nil, case .text(let host) = host else { return "" }
        guard !OriginRule.isAddressOrLocalhost(OriginRule.name(host.lowercased()[...])) else { return "" }
        return "strict-transport-security: max-age=\(max(settings.strictTransportSeconds, 0))\r\n"
    }
}
