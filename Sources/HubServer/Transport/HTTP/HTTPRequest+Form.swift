/// The parsing of a query and of cookies.
extension HTTPRequest {
    /// Parses the parameters of a query.
    ///
    /// - Parameter parameters: The parameters, decoded: `name=value`.
    /// - Returns: The values by name; nil if a name is there twice (RFC 6749 section 3.1).
    static func query(_ parameters: [String]) -> [String: String]? {
        var query: [String: String] = [:]
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, query[String(name)] == nil else { return nil }
            query[String(name)] = parts.count > 1 ? String(parts[1]) : ""
        }
        return query
    }

    /// Parses a Cookie header (RFC 6265 section 5.4); of two cookies of a name the first counts.
    ///
    /// - Parameter header: The header.
    /// - Returns: The values by name.
    static func cookies(_ header: String) -> [String: String] {
        var cookies: [String: String] = [:]
        for pair in header.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let name = String(parts[0].drop { $0 == " " })
            if cookies[name] == nil { cookies[name] = String(parts[1].trimmingSpaces) }
        }
        return cookies
    }
}
