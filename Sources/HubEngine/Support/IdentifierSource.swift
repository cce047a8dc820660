/// The source of identifiers and SSRCs: xoshiro256**, seeded, so that a run can be repeated.
///
/// Not for secrets: the driver takes unguessable values (the resume token) from the operating system.
package struct IdentifierSource: RandomNumberGenerator {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Fills the state by SplitMix64, so that any seed, even zero, is a good one.
    package init(seed: UInt64) {
        var mixer = seed
        func mixed() -> UInt64 {
            mixer &+= 0x9E37_79B9_7F4A_7C15
            var word = mixer
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
        state = (mixed(), mixed(), mixed(), mixed())
    }

    /// Returns a fresh identifier.
    mutating func identifier<Kind>() -> Identifier<Kind> {
        Identifier(randomBits: next(), next())
    }

    /// Returns a fresh SSRC (RFC 3550 section 8), never 0 and never `previous`.
    mutating func ssrc(after previous: UInt32 = 0) -> UInt32 {
        while true {
            let candidate = UInt32(truncatingIfNeeded: next())
            if candidate != 0, candidate != previous { return candidate }
        }
    }

    /// Returns 64 random bits.
    package mutating func next() -> UInt64 {
        func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 { (word &<< bits) | (word &>> (64 - bits)) }
        let result = rotated(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, by: 45)
        return result
    }
}
