import Testing

@testable import ScenarioKit

struct ReceivedVoicesTests {
    @Test func `adjacent frames are one interval, distant ones are two`() {
        var receivedVoices = ReceivedVoices(maximumGaps: [.milliseconds(60), .milliseconds(60)])
        for moment in [0, 20, 100, 300] { receivedVoices.add(frame(moment, [0])) }
        #expect(
            receivedVoices.intervals[0] == [
                .init(begin: .zero, end: .milliseconds(120)), .init(begin: .milliseconds(300), end: .milliseconds(320)),
            ]
        )
        #expect(receivedVoices.isReceivedThroughout(0, from: .milliseconds(10), to: .milliseconds(110)))
        #expect(!receivedVoices.isReceivedThroughout(0, from: .milliseconds(10), to: .milliseconds(130)))
        #expect(receivedVoices.isReceived(0, from: .milliseconds(310), to: .milliseconds(400)))
        #expect(!receivedVoices.isReceived(0, from: .milliseconds(120), to: .milliseconds(300)))
        #expect(receivedVoices.intervals[1].isEmpty)
    }

    @Test func `spans contain the voices received together`() {
        let table = VoiceTable([Party("alice"), Party("bob")])
        var receivedVoices = ReceivedVoices(maximumGaps: table.voices.map { _ in .milliseconds(60) })
        for moment in [0, 20, 40] { receivedVoices.add(frame(moment, [0])) }
        for moment in [40, 60] { receivedVoices.add(frame(moment, [1])) }
        let (alice, bob) = (Voice.party("alice"), Voice.party("bob"))
        #expect(
            receivedVoices.spans(table) == [
                ReceivedVoicesSpan(begin: .zero, end: .milliseconds(40), voices: [alice]),
                ReceivedVoicesSpan(begin: .milliseconds(40), end: .milliseconds(60), voices: [alice, bob]),
                ReceivedVoicesSpan(begin: .milliseconds(60), end: .milliseconds(80), voices: [bob]),
            ]
        )
    }

    private func frame(_ milliseconds: Int, _ numbers: [Int]) -> ToneDetector.Detection {
        let voices = numbers.reduce(into: VoiceSet()) { $0.formUnion(VoiceSet(number: $1)) }
        return ToneDetector.Detection(from: .milliseconds(milliseconds), voices: voices)
    }
}
