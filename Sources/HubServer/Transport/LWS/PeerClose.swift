/// The close frames of clients, as libwebsockets reports them (RFC 6455 section 7.4).
enum PeerClose {
    /// Determines the status code that answers a close frame instead of the library's copy of it.
    ///
    /// The library turns the codes 1012 to 1014 into 1002 before it reports them, as it does with those below 3000 that
    /// may not be sent. It accepts codes of 5000 and more, half a code, and a reason that is cut off in a character.
    ///
    /// - Parameter payload: The reported payload: empty, or a status code and a reason.
    /// - Returns: 1000 for the code 1002, which may have been a registered one; 1002 or 1007 for what may not be sent;
    ///   nil if the library answers right.
    static func answer(to payload: UnsafeRawBufferPointer) -> UInt16? {
        guard payload.count >= 2 else { return payload.isEmpty ? nil : 1002 }
        let reason = UnsafeRawBufferPointer(rebasing: payload.dropFirst(2))
        switch UInt16(payload[0]) << 8 | UInt16(payload[1]) {
        case 1002: return 1000
        case 5000...: return 1002
        default: return reason.isValidUTF8 ? nil : 1007
        }
    }
}
