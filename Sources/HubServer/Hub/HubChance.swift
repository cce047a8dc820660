import HubEngine

/// Where the hub's own chance comes from: the system, or a seed, so that the same happens again.
///
/// Only the system's bits are a secret. What the hub names by chance, and what it leaves to chance, is drawn here.
struct HubChance: RandomNumberGenerator {
    /// Nil: the system.
    private var seeded: IdentifierSource?

    /// The system's own randomness.
    init() {}

    /// The same bits for the same seed.
    init(seed: UInt64) {
        seeded = IdentifierSource(seed: seed)
    }

    mutating func next() -> UInt64 {
        guard seeded == nil else { return seeded?.next() ?? 0 }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// A name that nobody has.
    mutating func identifier<Kind>() -> Identifier<Kind> {
        Identifier(randomBits: next(), next())
    }

    /// An SSRC of the hub's own, never 0.
    mutating func ssrc() -> UInt32 {
        .random(in: 1 ... .max, using: &self)
    }
}
