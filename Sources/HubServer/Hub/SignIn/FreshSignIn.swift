package import HubEngine

/// A sign-in for which an OpenID provider has just authenticated the user, and which confirms requests of its session.
package struct FreshSignIn: Sendable {
    /// The time for which it confirms.
    ///
    /// Longer: who finds a phone unlocked soon after its user's sign-in has more time to add a passkey; shorter: the
    /// user has less to begin.
    private static let lifetime = Duration.seconds(600)

    /// The time at which it confirms no longer.
    package let end: Instant

    /// Creates one at the time of the sign-in.
    package init(at now: Instant) { end = now + Self.lifetime }

    /// Indicates that it confirms a request at a time.
    package func confirms(at now: Instant) -> Bool { now < end }
}
