/// A checksum that detects accidental damage; it does not protect against forgery.
package enum Checksum {
    /// Computes the checksum of some bytes; `seed` gives equal bytes in different places different checksums.
    package static func of(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var sum = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(bytes[index &+ offset]) &<< UInt64(8 &* offset) }
            sum = mixed(sum ^ word)
            index &+= 8
        }
        while index < bytes.count {
            sum = mixed(sum ^ UInt64(bytes[index]))
            index &+= 1
        }
        return mixed(sum)
    }

    /// A step of SplitMix64: every bit of the input affects every bit of the output.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits &>> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits &>> 31)
    }
}
