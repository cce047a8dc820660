/// The `X-Forwarded-For` field of a proxy in front of the hub, used only if the proxy is trusted.
enum ForwardedForHeader {
    /// Determines the client's address of a request: the last hop that is no trusted proxy.
    ///
    /// Each proxy appends to `X-Forwarded-For` the address that it has the request from; what is further left was in
    /// the request already, and any client may have written it.
    ///
    /// - Parameters:
    ///   - peer: The address of the other end of the socket.
    ///   - field: The `X-Forwarded-For` field, several lines of it joined by commas.
    ///   - trusted: The proxies' addresses.
    /// - Returns: The peer itself if it is no trusted proxy or the field is absent; nil if the field cannot be parsed
    ///   as far as it matters: a nearer hop must not be taken for the client.
    static func source(behind peer: IPAddress, _ field: FieldValue, trusted: [AddressRange]) -> IPAddress? {
        func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }
        guard isTrusted(peer), field != .absent else { return peer }
        guard case .text(let list) = field else { return nil }
        var source = peer
        var hops = list.split(separator: ",", omittingEmptySubsequences: false)
        while isTrusted(source), let hop = hops.popLast() {
            guard let next = address(hop) else { return nil }
            source = next
        }
        return source
    }

    /// Parses an address as proxies write it: alone, `192.0.2.1:4711`, or `[2001:db8::1]:4711`.
    private static func address(_ hop: Substring) -> IPAddress? {
        let hop = hop.trimmingSpaces
        if let address = IPAddress(hop) { return address }
        if hop.hasPrefix("[") { return IPAddress(hop.dropFirst().prefix { $0 != "]" }) }
        return IPAddress(hop.prefix { $0 != ":" })
    }
}

extension Substring {
    /// The substring without blanks and tabs at either end.
    var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
