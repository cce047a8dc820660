/// Which web pages may connect: those the hub's own host served, and those of the allow-list.
///
/// Programs send no Origin and are not concerned; a browser always does, and so no foreign page reaches into a hub on
/// the user's own machine (RFC 6455 section 10.2).
enum OriginRule {
    /// Whether a page of that origin may connect.
    ///
    /// - Parameters:
    ///   - origin: The Origin header, `scheme://host[:port]` or `null`.
    ///   - host: The Host header, `host[:port]`.
    ///   - settings: For the allow-list.
    /// - Returns: True if so.
    static func allows(_ origin: String, host: String, _ settings: TransportSettings) -> Bool {
        let origin = origin.lowercased()
        if settings.allowedOrigins.contains(where: { $0.lowercased() == origin }) { return true }
        guard let separator = origin.range(of: "://") else { return false }
        let scheme = origin[..<separator.lowerBound]
        let authority = origin[separator.upperBound...]
        guard scheme == "http" || scheme == "https", !authority.isEmpty else { return false }
        let standard = scheme == "https" ? ":443" : ":80"
        return withoutPort(authority, standard) == withoutPort(host.lowercased()[...], standard)
    }

    /// A browser leaves the scheme's standard port out of Origin and Host, a program may not.
    private static func withoutPort(_ authority: Substring, _ standard: String) -> Substring {
        authority.hasSuffix(standard) ? authority.dropLast(standard.count) : authority
    }
}

extension String {
    /// Where a string first occurs; the standard library has this for collections only since 5.7 as `firstRange`.
    fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
}
