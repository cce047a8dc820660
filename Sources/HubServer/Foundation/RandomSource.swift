import HubEngine

/// The hub's source of randomness: the system, or a seed, so that runs can be repeated.
///
/// Only the system's bits are secret. All random names and delays of the hub are drawn here.
package struct RandomSource: RandomNumberGenerator {
    /// The seeded generator; nil: the system's generator is used.
    private var seeded: IdentifierSource?

    /// Makes a source of the system's randomness.
    package init() {}

    /// Makes a source that returns the same bits for the same seed.
    package init(seed: UInt64) {
        seeded = IdentifierSource(seed: seed)
    }

    package mutating func next() -> UInt64 {
        guard seeded == nil else { return seeded?.next() ?? 0 }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// Returns a new random identifier.
    mutating func identifier<Kind>() -> Identifier<Kind> {
        Identifier(randomBits: next(), next())
    }

    /// Returns a random SSRC for the hub itself, never 0.
    package mutating func ssrc() -> UInt32 {
        .random(in: 1 ... .max, using: &self)
    }
}
