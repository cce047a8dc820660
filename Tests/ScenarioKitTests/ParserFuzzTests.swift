import ScenarioKit
import Testing

import struct HubSimulation.SeededRandom

/// Random texts: each gives scenarios or faults in limited time, never a crash.
@Suite struct ParserFuzzTests {
    @Test func `random bytes give faults`() {
        for seed in 0..<300 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let text = String(decoding: random.bytes(Int.random(in: 0...400, using: &random)), as: UTF8.self)
            read(text, seed: seed)
        }
    }

    @Test func `random keywords give scenarios or faults`() {
        var taken = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var text = ""
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                text +=
                    (Self.words.randomElement(using: &random) ?? "") + (Self.blanks.randomElement(using: &random) ?? "")
            }
            if read(text, seed: seed) { taken += 1 }
        }
        #expect(taken < 400)
    }

    @Test func `a valid text with random changes gives scenarios or faults`() {
        var taken = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes = Array(ScenarioText.text(of: RandomScenario.make(seed: seed % 50)).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) { Self.change(&bytes, by: &random) }
            if read(String(decoding: bytes, as: UTF8.self), seed: seed) { taken += 1 }
        }
        // Both happen: hardly a changed text is a scenario still, and one without a change is.
        #expect((1..<400).contains(taken))
    }

    /// Parses a text and checks that scenarios can be written again, or that faults have a place and a message.
    @discardableResult
    private func read(_ text: String, seed: UInt64) -> Bool {
        do throws(ScenarioSyntaxErrors) {
            for scenario in try ScenarioText.scenarios(parsing: text) {
                let written = ScenarioText.text(of: scenario)
                let again = try ScenarioText.scenarios(parsing: written)
                #expect(again.map(ScenarioText.text) == [written], "seed \(seed)")
            }
            return true
        } catch {
            let lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            #expect(!error.faults.isEmpty)
            #expect(error.faults.count <= 50)
            for fault in error.faults {
                #expect((1...lineCount).contains(fault.line), "seed \(seed): \(fault)")
                #expect(
                    fault.column >= 1 && !fault.sentence.isEmpty && fault.sentence.count < 400,
                    "seed \(seed): \(fault)"
                )
            }
            return false
        }
    }

    private static func change(_ bytes: inout [UInt8], by random: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default:
            let word = words.randomElement(using: &random) ?? ""
            bytes.insert(contentsOf: " \(word) ".utf8, at: place)
        }
    }

    private static let blanks = [" ", " ", " ", "", "\n", "\n    ", "\n  ", ", ", ": ", ":\n    "]
    private static let words = [
        "alice", "bob", "alice's", "A", "B", "calls", "call", "cannot", "hold", "and", "accept", "swap", "with", "as",
        "expect", "either", "or", "hears", "nothing", "is", "told", "perform", "dtmf", "within", "200 ms", "1.5", "s",
        "for each", "WHO", "of", "{WHO}", "repeat", "3 times:", "together:", "in any order:", "at random", "let", "=",
        "scenario", "parties", "party", "hub:", "hub", "seed", "patience", "\"text\"", "\"", "\\", "{", "}", "#", "'s",
        "phoneNumber:49", "generic:", "load directory d:", "block", "recents:", "never heard", "reports", "a call from",
        "ended:", "named", "no", "99999999999999999999", "0", "-1", "is throttled to", "kbit/s", "🦊", "\u{301}", "\t",
    ]
}
