import Testing

@testable import ScenarioKit

struct LinkImpairmentTests {
    @Test func `a delayed message arrives after the delay, and in order`() {
        var impairment = LinkImpairment()
        impairment.delay = .milliseconds(80)
        impairment.down.send(.text([1]), impairment, at: .milliseconds(10))
        impairment.delay = .milliseconds(5)
        impairment.down.send(.text([2]), impairment, at: .milliseconds(20))
        #expect(impairment.due == .milliseconds(90))
        #expect(impairment.down.arrived(at: .milliseconds(89)).isEmpty)
        #expect(impairment.down.arrived(at: .milliseconds(90)) == [.text([1]), .text([2])])
        #expect(impairment.down.due == nil)
    }

    @Test func `a throttled connection is busy with earlier messages`() {
        var impairment = LinkImpairment()
        impairment.bitsPerSecond = 8_000
        let message = ConnectionMessage.audio([UInt8](repeating: 0, count: 100))
        impairment.up.send(message, impairment, at: .zero)
        impairment.up.send(message, impairment, at: .zero)
        #expect(impairment.up.backlog(at: .milliseconds(50)) == .milliseconds(150))
        #expect(impairment.up.arrived(at: .milliseconds(100)).count == 1)
        #expect(impairment.up.due == .milliseconds(200))
    }

    @Test func `a connection without delay and throttling is unimpaired`() {
        var impairment = LinkImpairment()
        #expect(impairment.isUnimpaired)
        impairment.delay = .milliseconds(1)
        #expect(!impairment.isUnimpaired)
        impairment.down.send(.text([]), impairment, at: .zero)
        impairment.delay = .zero
        #expect(!impairment.isUnimpaired)
        impairment.clear()
        #expect(impairment.isUnimpaired)
    }
}
