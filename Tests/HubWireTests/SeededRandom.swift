/// Random numbers that a seed repeats (SplitMix64), and random values drawn from them.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func flag() -> Bool { Bool.random(using: &self) }

    mutating func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
        Number.random(in: range, using: &self)
    }

    mutating func one<Element>(of choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    mutating func maybe<Value>(_ make: (inout SeededRandom) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }

    mutating func list<Element>(of make: (inout SeededRandom) -> Element) -> [Element] {
        (0..<number(0...3)).map { _ in make(&self) }
    }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        (0..<number(0...count)).map { _ in number(0...255) }
    }

    /// A text with everything in it that JSON has to escape, and some that it has not.
    mutating func text() -> String {
        let pieces = [
            "a", "Ünï", "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{2028}", "👩‍👩‍👧", "e\u{301}", "/", "}", ":", ",",
        ]
        return (0..<number(0...8)).map { _ in one(of: pieces) }.joined()
    }
}
