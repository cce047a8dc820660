import HubWire

/// A problem document (RFC 7807, RFC 8555 section 6.7).
struct ACMEProblem: Hashable, Sendable {
    private static let prefix = "urn:ietf:params:acme:error:"

    /// The type without ACME's prefix; of foreign types all.
    let type: String
    let detail: String
    /// The name that the problem is about, if it says so.
    let domain: String?
    /// The page that tells the operator what to do (`userActionRequired`).
    let instance: String?

    init(type: String, detail: String, domain: String? = nil, instance: String? = nil) {
        self.type = type
        self.detail = detail
        self.domain = domain
        self.instance = instance
    }

    /// Parses a problem; of several in one, the first is the one that counts.
    init?(_ json: JSONValue) {
        guard let type = json.member("type")?.string else { return nil }
        if type == Self.prefix + "compound", let first = json.member("subproblems")?.elements.first,
            first.member("subproblems") == nil
        {
            self.init(first)
            return
        }
        let subproblem = json.member("subproblems")?.elements.first { $0.member("identifier") != nil }
        self.init(
            type: type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type,
            detail: json.member("detail")?.string ?? "",
            domain: (json.member("identifier") ?? subproblem?.member("identifier"))?.member("value")?.string,
            instance: json.member("instance")?.string
        )
    }

    /// Parses the body of a response that is no success; a body without a problem makes one of the status alone.
    init(_ response: ACMEResponse) {
        if let document = try? JSONDocument(response.body), let problem = ACMEProblem(document.root) {
            self = problem
        } else {
            self.init(type: "", detail: "")
        }
    }
}
