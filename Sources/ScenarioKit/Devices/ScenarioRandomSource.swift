import HubEngine

/// The run's source of random numbers, which depends only on the seed.
package struct ScenarioRandomSource: RandomNumberGenerator {
    private var source: IdentifierSource

    /// Creates a source from a seed.
    package init(seed: UInt64) { source = IdentifierSource(seed: seed) }

    package mutating func next() -> UInt64 { source.next() }

    /// Returns a new random identifier.
    mutating func identifier<Kind>() -> Identifier<Kind> { Identifier(randomBits: next(), next()) }
}
