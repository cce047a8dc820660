import Glibc

/// The check of the Origin header: pages of the hub's own names and of the allow-list may connect.
///
/// Programs send no Origin and are not concerned; a browser always does, so that no foreign page can connect to a hub
/// on the user's own machine (RFC 6455 section 10.2). Nor can a page whose own name was made to resolve to the hub
/// (DNS rebinding): its Origin is the Host, but the Host is no name of the hub.
struct OriginRule: Sendable {
    /// The result of the check.
    enum Verdict: Equatable {
        /// The page may connect.
        case allowed
        /// The page is of another host.
        case foreignPage
        /// The page was requested under a name that is none of the hub's.
        case foreignHost(String)
    }

    private let allowedOrigins: Set<String>
    private let names: Set<String>

    /// Creates the rule of a hub.
    ///
    /// - Parameters:
    ///   - settings: The allow-list, and the hub's names.
    ///   - machine: The host name of this machine.
    init(_ settings: TransportSettings, machine: String = Self.machineName) {
        allowedOrigins = Set(settings.allowedOrigins.map { $0.lowercased() })
        let ofOrigins = allowedOrigins.compactMap { Self.parts($0).map { Self.name($0.authority) } }
        let ofPublicURL = settings.publicURL.flatMap { Self.parts($0.lowercased()) }
            .map { Self.name($0.authority.prefix { $0 != "/" }) }
        let given = (settings.hosts + [settings.host, machine]).map { Self.name($0.lowercased()[...]) }
        names = Set(given + ofOrigins + [ofPublicURL].compactMap(\.self))
    }

    /// Decides if a page may connect.
    ///
    /// - Parameters:
    ///   - origin: The Origin header, `scheme://host[:port]` or `null`.
    ///   - host: The Host header, `host[:port]`.
    ///   - isSecure: True if the request came over TLS; nil if unknown, as a proxy may be in between.
    /// - Returns: The permission, or the reason for the refusal.
    func verdict(origin: String, host: String, isSecure: Bool?) -> Verdict {
        let (origin, host) = (origin.lowercased(), host.lowercased()[...])
        if allowedOrigins.contains(origin) { return .allowed }
        guard let (scheme, authority) = Self.parts(origin) else { return .foreignPage }
        let standard = scheme == "https" ? ":443" : ":80"
        guard Self.without(standard, authority) == Self.without(standard, host) else { return .foreignPage }
        if let isSecure, isSecure != (scheme == "https") { return .foreignPage }
        let name = Self.name(host)
        return isOwn(name) ? .allowed : .foreignHost(name)
    }

    /// Indicates that a name is one of the hub's, or an address.
    ///
    /// - Parameter name: The name in lower case, without port, brackets and the dot at the end.
    /// - Returns: False for a name that `http.hosts` would have to list.
    func isOwn(_ name: String) -> Bool { names.contains(name) || Self.isAddressOrLocalhost(name) }

    /// Distinguishes an address or `localhost`, which DNS cannot redirect, from a name that it resolves.
    ///
    /// - Parameter name: The name in lower case, without port, brackets and the dot at the end.
    /// - Returns: True for an address or a name of `localhost`.
    static func isAddressOrLocalhost(_ name: String) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || IPAddress(name) != nil
    }

    private static func parts(_ origin: String) -> (scheme: Substring, authority: Substring)? {
        guard let separator = origin.firstRange(of: "://") else { return nil }
        let (scheme, authority) = (origin[..<separator.lowerBound], origin[separator.upperBound...])
        guard scheme == "http" || scheme == "https", !authority.isEmpty else { return nil }
        return (scheme, authority)
    }

    /// Removes the scheme's standard port, which browsers leave out of Origin and Host and programs may not.
    private static func without(_ standardPort: String, _ authority: Substring) -> Substring {
        authority.hasSuffix(standardPort) ? authority.dropLast(standardPort.count) : authority
    }

    /// Removes the port, brackets, and the dot at the end of a full name from a host.
    static func name(_ authority: Substring) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        // More than one colon: an IPv6 address without brackets, as settings have it.
        let colons = authority.count { $0 == ":" }
        let name = colons == 1 ? authority.prefix { $0 != ":" } : authority
        return String(name.hasSuffix(".") ? name.dropLast() : name)
    }

    /// The host name of this machine; empty if it has none.
    static var machineName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
