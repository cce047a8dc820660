/// The settings of token authentication (section `auth`).
struct TokenSettings: Sendable {
    /// The file with the issuer's keys (JWKS); nil: only the tokens of links are accepted.
    var keysFile: String?
    /// The required claim `iss`.
    var issuer: String?
    /// The required claim `aud`.
    var audience = "callhub"
    /// The tolerated difference of the issuer's clock.
    var leeway: Duration = .seconds(30)
}
