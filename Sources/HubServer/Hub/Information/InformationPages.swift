import HubWire

/// The pages that a client reads before it signs in: `/v1/info`, and the logo and the certificate that it names.
struct InformationPages {
    /// The brand, which may change while the hub runs.
    var brand: Brand {
        didSet { update() }
    }

    /// The certificate of the hub, which may change while it runs; nil without TLS.
    var certificate: ServerCertificate? {
        didSet { update() }
    }

    /// Indicates that the hub has no account yet, so that nobody can sign in.
    var needsSetup: Bool {
        didSet { update() }
    }

    private let hub: SessionOpenResult.Hub
    private let settings: TransportSettings
    private let authMode: String
    private let allowsSelfRegistration: Bool
    private let openIDLabel: String?
    private let hasPasskeys: Bool
    private var information = HTTPResponse(contentType: "application/json", body: [])
    private var logo: HTTPResponse?

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - hub: The name and version of the hub.
    ///   - settings: The settings of the connections.
    ///   - authMode: The setting `auth.mode`.
    ///   - allowsSelfRegistration: True if anybody may create an account.
    ///   - openIDLabel: The name of the OpenID provider that users sign in by; nil: none.
    ///   - hasPasskeys: True if accounts may sign in by passkeys.
    ///   - brand: The brand.
    ///   - needsSetup: True if the hub has no account yet.
    init(
        of hub: SessionOpenResult.Hub,
        _ settings: TransportSettings,
        authMode: String,
        allowsSelfRegistration: Bool = false,
        openIDLabel: String? = nil,
        hasPasskeys: Bool = false,
        brand: Brand,
        needsSetup: Bool
    ) {
        self.hub = hub
        self.settings = settings
        self.authMode = authMode
        self.allowsSelfRegistration = allowsSelfRegistration
        self.openIDLabel = openIDLabel
        self.hasPasskeys = hasPasskeys
        self.brand = brand
        self.needsSetup = needsSetup
        certificate = settings.serverCertificate
        update()
    }

    /// Returns the page of a request; nil if it is another's.
    func page(_ request: HTTPRequest) -> HTTPResponse? {
        guard let page = Self.page(request.path, settings) else {
            return TrustPage.file(request.path, of: certificate?.authority)
        }
        return switch page {
        case .information: information(for: request)
        case .logo: logo ?? .text(404, "This server has no logo (brand.logo in its configuration).")
        }
    }

    /// Returns the information, with the address by which a client behind the hub's proxy came.
    private func information(for request: HTTPRequest) -> HTTPResponse {
        guard settings.publicURL == nil, let host = request.publicHost else { return information }
        var response = information
        response.body = informationText("https://\(host)\(settings.pathPrefix ?? "")/")
        return response
    }

    /// Indicates that a path is one of these pages.
    static func has(_ path: String, _ settings: TransportSettings) -> Bool {
        page(path, settings) != nil || [TrustPage.certificatePath, TrustPage.profilePath].contains(path)
    }

    private enum Page: String {
        case information = "/info"
        case logo = "/logo"
    }

    private static func page(_ path: String, _ settings: TransportSettings) -> Page? {
        guard path.hasPrefix(settings.path) else { return nil }
        return Page(rawValue: String(path.dropFirst(settings.path.count)))
    }

    private mutating func update() {
        information.body = informationText(settings.publicURL)
        logo = brand.logo.map { logo in
            var response = HTTPResponse(contentType: logo.contentType, body: logo.bytes)
            response.tag = Self.tag(of: logo.bytes)
            // An SVG file that is opened as a page of its own would run its scripts with the rights of the phone.
            response.headers = [
                HTTPHeader(
                    name: "Content-Security-Policy",
                    value: "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
                )
            ]
            return response
        }
    }

    private func informationText(_ secureURL: String?) -> [UInt8] {
        var text: [UInt8] = []
        JSONWriter.write(into: &text) { writer in
            writer.object { writer in
                writer.member("name", hub.name)
                writer.member("version", hub.version)
                writer.member("authMode", authMode)
                if allowsSelfRegistration { writer.member("selfRegistration", true) }
                if let openIDLabel {
                    writer.object("openID") { writer in
                        writer.member("label", openIDLabel)
                        writer.member("start", settings.path + OpenIDPages.start.rawValue)
                    }
                }
                if hasPasskeys { writer.member("passkeys", true) }
                if needsSetup { writer.member("setup", true) }
                writer.optional("secureURL", secureURL) { $0.value($1) }
                if let certificate {
                    writer.object("certificate") { writer in
                        writer.member("kind", certificate.kind)
                        guard let authority = certificate.authority else { return }
                        writer.member("fingerprint", authority.fingerprint)
                        writer.member("trustURL", TrustPage.path)
                    }
                }
                writer.object("brand") { writer in
                    writer.optional("name", brand.name) { $0.value($1) }
                    writer.optional("color", brand.color) { $0.value($1) }
                    if brand.logo != nil { writer.member("logo", settings.path + Page.logo.rawValue) }
                }
            }
        }
        return text
    }

    /// Makes the ETag of a content: FNV-1a, as nobody but the operator chooses the content.
    private static func tag(of bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        return "\"\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))\""
    }
}
