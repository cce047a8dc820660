/// Strict-Transport-Security (RFC 6797).
enum StrictTransportSecurity {
    /// Makes the header line for a response; empty if it is not to be sent.
    ///
    /// A connection without TLS does not carry it (section 7.2), nor one for an address or `localhost`, which no
    /// browser notes (section 8.1.1). Nor does a hub with a certificate of its own authority send it: if the authority
    /// were lost, the name would be unreachable for a year, with all that the machine serves under it.
    ///
    /// - Parameters:
    ///   - host: The Host header of the request.
    ///   - certificate: The certificate of the connection; nil without TLS.
    ///   - seconds: The maximum age.
    /// - Returns: The line with its end.
    static func line(host: FieldValue, _ certificate: ServerCertificate?, seconds: Int) -> String {
        guard let certificate, certificate.authority == nil, case .text(let host) = host else { return "" }
        guard !OriginRule.isAddressOrLocalhost(OriginRule.name(host.lowercased()[...])) else { return "" }
        return "strict-transport-security: max-age=\(max(seconds, 0))\r\n"
    }
}
