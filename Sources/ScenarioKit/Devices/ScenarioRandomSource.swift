import HubEngine

/// The run's source of random numbers, which depends only on the seed.
struct ScenarioRandomSource: RandomNumberGenerator {
    private var source: IdentifierSource

    /// Creates a source from a seed.
    init(seed: UInt64) { source = IdentifierSource(seed: seed) }

    mutating func next() -> UInt64 { source.next() }

    /// Returns a new random identifier.
    mutating func identifier<Kind>() -> Identifier<Kind> { Identifier(randomBits: next(), next()) }
}
