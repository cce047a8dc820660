import HubEngine

/// What chance goes by in a run: the same for the same seed.
struct Chance: RandomNumberGenerator {
    private var source: IdentifierSource

    /// Chance from a seed.
    init(seed: UInt64) { source = IdentifierSource(seed: seed) }

    mutating func next() -> UInt64 { source.next() }

    /// A name that nobody has.
    mutating func identifier<Kind>() -> Identifier<Kind> { Identifier(randomBits: next(), next()) }
}
