/// The settings of token authentication (section `auth`).
public struct TokenSettings: Sendable {
    /// The file with the issuer's keys (JWKS); nil: only the tokens of invitations are accepted.
    public var keysFile: String?
    /// The required claim `iss`.
    public var issuer: String?
    /// The required claim `aud`.
    public var audience = "callhub"
    /// The tolerated difference of the issuer's clock.
    public var leeway: Duration = .seconds(30)

    /// The defaults: no issuer.
    public init() {}
}
