import CCurl

/// A host name for a certificate: in lower case, its labels in ASCII (RFC 1035, RFC 5890).
struct DomainName: Hashable, Sendable {
    let text: String

    /// Checks a name; one in another script is converted to A-labels.
    ///
    /// - Parameter written: The name as the operator wrote it; a dot at its end is left out.
    /// - Throws: The fault of the name, before anything is sent to a server.
    init(_ written: String) throws(ACMESettingsError) {
        let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
        // A longer name would not fit, whatever libidn2 makes of it.
        guard isASCII || written.utf8.count <= 1_000, let ascii = isASCII ? written : Self.aLabels(of: written) else {
            throw ACMESettingsError(
                "\(shown(written)) cannot be converted to a name in ASCII; write its labels as xn--…"
            )
        }
        var name = ascii.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        if let fault = Self.fault(of: name) { throw ACMESettingsError("\(shown(written)) \(fault).") }
        text = name
    }

    private static func aLabels(of name: String) -> String? {
        guard !name.utf8.contains(0), let start = hub_curl_ascii_host(name) else { return nil }
        defer { curl_free(start) }
        let ascii = String(cString: start)
        return ascii.utf8.allSatisfy { $0 < 0x80 } ? ascii : nil
    }

    /// The end of the sentence about a name that no authority gives a certificate for; nil for a good one.
    private static func fault(of name: String) -> String? {
        if name.contains(":") || name.contains("/") {
            return "is no host name; name the host alone, without scheme, port or path, and no address"
        }
        if name.contains("*") {
            return "is a wildcard, which http-01 and tls-alpn-01 cannot prove; list each name that is used"
        }
        guard (1...253).contains(name.utf8.count) else { return "is no host name; a name has 1 to 253 characters" }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else {
            return "is no host name; between its dots are 1 to 63 letters, digits and hyphens, "
                + "with no hyphen first or last"
        }
        guard labels.count >= 2 else { return "is no public name; it must have a dot, as calls.example.org" }
        guard labels.last?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) == false else {
            return "is an address; a certificate is for names, as calls.example.org"
        }
        return nil
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            }
    }
}
