import Foundation

/// The options of a run of the monkey, from the environment.
enum MonkeyOptions {
    /// The length in seconds (`MONKEY_SECONDS`); `make monkey` runs it for ten minutes.
    static let seconds = number("MONKEY_SECONDS", default: 20)
    /// The seed of all that is random (`MONKEY_SEED`).
    static let seed = UInt64(number("MONKEY_SEED", default: 1))
    /// The minutes that a test of this suite may take.
    static let minutes = 3 + seconds / 30

    private static func number(_ name: String, default value: Int) -> Int {
        guard let number = ProcessInfo.processInfo.environment[name].flatMap(Int.init) else { return value }
        return max(1, min(number, 86_400 * 365))
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct MonkeyRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns an element of a list that is not empty.
    mutating func one<Element>(of list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &self)] }
}
