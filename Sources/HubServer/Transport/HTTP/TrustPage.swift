import Foundation

/// The page that helps devices to trust the hub's own certificate authority, and the files that it offers.
enum TrustPage {
    /// The path of the page.
    static let path = "/trust"

    /// The path of the authority's certificate in DER, as Android, Windows, Linux and browsers import it.
    static let certificatePath = "/callhub-ca.crt"

    /// The path of the authority's certificate as a configuration profile, as Apple's systems import it.
    static let profilePath = "/callhub.mobileconfig"

    /// The static file of a path that has another name than its file; nil: it has not.
    static func file(for path: String) -> String? { path == Self.path ? "/trust.html" : nil }

    /// Indicates that the page needs a path, which is served without TLS, too: a device comes before it trusts.
    static func isNeeded(_ path: String, _ settings: TransportSettings) -> Bool {
        [
            Self.path, "/trust.js", "/trust.css", "/styles/tokens.css", "/styles/base.css", "/icons/phone.svg",
            certificatePath,
            profilePath, settings.path + "/info",
        ].contains(path)
    }

    /// Makes the response of one of the two files; nil: the path is another's.
    static func file(_ path: String, of authority: AuthorityCertificate?) -> HTTPResponse? {
        guard [certificatePath, profilePath].contains(path) else { return nil }
        guard let authority else {
            return .text(404, "This server has no certificate authority of its own (tls.own in its configuration).")
        }
        // Neither is an attachment: Firefox and Apple's systems then offer to install it at once.
        return path == certificatePath
            ? HTTPResponse(contentType: "application/x-x509-ca-cert", body: authority.der)
            : HTTPResponse(contentType: "application/x-apple-aspen-config", body: Array(profile(of: authority).utf8))
    }

    /// Makes the configuration profile; the same authority always has the same one, so that a device replaces it.
    private static func profile(of authority: AuthorityCertificate) -> String {
        let digits = Array(authority.fingerprint.filter(\.isHexDigit))
        let (profile, payload) = (uuid(digits.prefix(32)), uuid(digits.suffix(32)))
        let name = xml(authority.name)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            <key>PayloadContent</key>
            <array>
            <dict>
            <key>PayloadCertificateFileName</key><string>callhub-ca.crt</string>
            <key>PayloadContent</key><data>\(Data(authority.der).base64EncodedString())</data>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadIdentifier</key><string>callhub.authority.\(payload)</string>
            <key>PayloadType</key><string>com.apple.security.root</string>
            <key>PayloadUUID</key><string>\(payload)</string>
            <key>PayloadVersion</key><integer>1</integer>
            </dict>
            </array>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadIdentifier</key><string>callhub.trust.\(profile)</string>
            <key>PayloadRemovalDisallowed</key><false/>
            <key>PayloadType</key><string>Configuration</string>
            <key>PayloadUUID</key><string>\(profile)</string>
            <key>PayloadVersion</key><integer>1</integer>
            </dict>
            </plist>

            """
    }

    /// Makes a UUID of 32 hexadecimal digits (RFC 9562 section 5.8, version 8).
    private static func uuid(_ digits: some Sequence<Character>) -> String {
        var digits = Array(digits)
        guard digits.count == 32 else { return "00000000-0000-8000-8000-000000000000" }
        (digits[12], digits[16]) = ("8", "8")
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return parts.joined(separator: "-").uppercased()
    }

    private static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
