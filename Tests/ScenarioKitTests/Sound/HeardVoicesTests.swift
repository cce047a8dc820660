import Testing

@testable import ScenarioKit

struct HeardVoicesTests {
    @Test func `frames near one another are one stretch, others are two`() {
        var heard = HeardVoices(joints: [.milliseconds(60), .milliseconds(60)])
        for moment in [0, 20, 100, 300] { heard.add(frame(moment, [0])) }
        #expect(
            heard.stretches[0] == [
                .init(begin: .zero, end: .milliseconds(120)), .init(begin: .milliseconds(300), end: .milliseconds(320)),
            ]
        )
        #expect(heard.isHeardThroughout(0, from: .milliseconds(10), to: .milliseconds(110)))
        #expect(!heard.isHeardThroughout(0, from: .milliseconds(10), to: .milliseconds(130)))
        #expect(heard.isHeard(0, from: .milliseconds(310), to: .milliseconds(400)))
        #expect(!heard.isHeard(0, from: .milliseconds(120), to: .milliseconds(300)))
        #expect(heard.stretches[1].isEmpty)
    }

    @Test func `spans say who was heard together`() {
        let book = VoiceBook([Party("alice"), Party("bob")])
        var heard = HeardVoices(joints: book.voices.map { _ in .milliseconds(60) })
        for moment in [0, 20, 40] { heard.add(frame(moment, [0])) }
        for moment in [40, 60] { heard.add(frame(moment, [1])) }
        let (alice, bob) = (Voice.party("alice"), Voice.party("bob"))
        #expect(
            heard.spans(book) == [
                HeardSpan(begin: .zero, end: .milliseconds(40), voices: [alice]),
                HeardSpan(begin: .milliseconds(40), end: .milliseconds(60), voices: [alice, bob]),
                HeardSpan(begin: .milliseconds(60), end: .milliseconds(80), voices: [bob]),
            ]
        )
    }

    private func frame(_ milliseconds: Int, _ numbers: [Int]) -> Ear.Heard {
        let voices = numbers.reduce(into: VoiceSet()) { $0.formUnion(VoiceSet(number: $1)) }
        return Ear.Heard(from: .milliseconds(milliseconds), voices: voices)
    }
}
