/// What a hub asks of a token beside a right signature.
public struct TokenPolicy: Hashable, Sendable {
    /// Who must have issued it: the claim `iss`.
    public var issuer: String
    /// Whom it must be for: the claim `aud`, or one of several there.
    public var audience: String
    /// By how much the issuer's clock and ours may differ.
    ///
    /// More: a token lives that much longer; less: honest machines' tokens are refused.
    public var leeway: Duration
    /// The longest time from issue to end.
    ///
    /// More: a stolen token is of use for longer; less: some issuers' tokens are refused.
    public var maximumLifetime: Duration
    /// The longest token, in bytes; a longer one is not looked at.
    ///
    /// More: more work for whoever sends nonsense; less: no room for an issuer's many claims.
    public var maximumBytes: Int

    /// A policy; the defaults suit an issuer whose clock is kept by NTP and whose tokens are for a day.
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
    /// In seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
