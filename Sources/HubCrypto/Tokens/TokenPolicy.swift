/// The requirements of a hub for tokens, besides a valid signature.
public struct TokenPolicy: Hashable, Sendable {
    /// The required issuer: the claim `iss`.
    public var issuer: String
    /// The required audience: the claim `aud`, or one of several there.
    public var audience: String
    /// The tolerated difference between the issuer's clock and the hub's.
    ///
    /// More: a token lives that much longer; less: tokens of honest machines are rejected.
    public var leeway: Duration
    /// The longest time from issue to expiry.
    ///
    /// More: a stolen token is of use for longer; less: some issuers' tokens are rejected.
    public var maximumLifetime: Duration
    /// The longest token, in bytes; a longer one is rejected unread.
    ///
    /// More: more work for each invalid token; less: no room for an issuer's many claims.
    public var maximumBytes: Int

    /// Creates a policy; the defaults suit an issuer with an NTP clock and tokens that are valid for a day.
    public init(
        issuer: String,
        audience: String,
        leeway: Duration = .seconds(30),
        maximumLifetime: Duration = .seconds(86_400),
        maximumBytes: Int = 8192
    ) {
        self.issuer = issuer
        self.audience = audience
        self.leeway = leeway
        self.maximumLifetime = maximumLifetime
        self.maximumBytes = maximumBytes
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
