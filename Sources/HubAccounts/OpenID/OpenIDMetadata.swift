import Foundation
import HubConfiguration

/// The published metadata of a provider (OpenID Connect Discovery 1.0 section 3), as far as the hub uses them.
struct OpenIDMetadata: Hashable, Sendable {
    /// The endpoint that browsers are sent to.
    let authorizationEndpoint: String
    /// The endpoint for the exchange of codes.
    let tokenEndpoint: String
    /// The address of the keys.
    let keysURL: String
    /// The endpoint for claims that the ID token has not; nil: none.
    let userInfoEndpoint: String?
    /// Indicates that the client's secret is sent in the body, as the provider accepts no header.
    let takesSecretInBody: Bool
    /// Indicates that the provider names itself in its answers (RFC 9207).
    let namesItselfInAnswers: Bool

    private struct Document: Decodable {
        let issuer: String
        let authorization_endpoint: String
        let token_endpoint: String
        let jwks_uri: String
        let userinfo_endpoint: String?
        let response_types_supported: [String]?
        let token_endpoint_auth_methods_supported: [String]?
        let authorization_response_iss_parameter_supported: Bool?
    }

    /// Returns the address of a provider's metadata.
    static func url(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// Parses the metadata of a provider.
    ///
    /// - Parameters:
    ///   - body: The document, untrusted.
    ///   - settings: The settings, whose issuer the document has to be of.
    /// - Throws: ``OpenIDFault`` if the document is of another issuer, or has no usable endpoints.
    init(_ body: [UInt8], _ settings: OpenIDSettings) throws(OpenIDFault) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(body)) else {
            throw .badAnswer("its openid-configuration is not that of OpenID Connect Discovery")
        }
        guard let issuer = settings.issuer, document.issuer.utf8.elementsEqual(issuer.utf8) else {
            let other = document.issuer.prefix(100)
            throw .badAnswer("its openid-configuration is of the issuer \(other), which auth.openID.issuer is not")
        }
        if let types = document.response_types_supported, !types.contains("code") {
            throw .badAnswer("it does not support the authorization code flow")
        }
        let endpoints = [document.authorization_endpoint, document.token_endpoint, document.jwks_uri]
        for endpoint in endpoints + [document.userinfo_endpoint].compactMap(\.self) {
            guard Self.isEndpoint(endpoint, settings) else {
                throw .badAnswer("its openid-configuration has an endpoint that is not https: \(endpoint.prefix(100))")
            }
        }
        authorizationEndpoint = document.authorization_endpoint
        tokenEndpoint = document.token_endpoint
        keysURL = document.jwks_uri
        userInfoEndpoint = document.userinfo_endpoint
        // The default is client_secret_basic.
        let methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
        takesSecretInBody = !methods.contains("client_secret_basic") && methods.contains("client_secret_post")
        namesItselfInAnswers = document.authorization_response_iss_parameter_supported ?? false
    }

    private static func isEndpoint(_ text: String, _ settings: OpenIDSettings) -> Bool {
        guard (1...2_048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), URL(string: text)?.host?.isEmpty == false
        else { return false }
        return text.hasPrefix("https://") || (settings.allowsPlainHTTP && OpenIDSettings.isLoopback(text))
    }
}
