import Testing

@testable import ScenarioKit

struct LinkShapeTests {
    @Test func `a delayed message is through so much later, and in order`() {
        var shape = LinkShape()
        shape.delay = .milliseconds(80)
        shape.down.send(.text([1]), shape, at: .milliseconds(10))
        shape.delay = .milliseconds(5)
        shape.down.send(.text([2]), shape, at: .milliseconds(20))
        #expect(shape.due == .milliseconds(90))
        #expect(shape.down.arrived(at: .milliseconds(89)).isEmpty)
        #expect(shape.down.arrived(at: .milliseconds(90)) == [.text([1]), .text([2])])
        #expect(shape.down.due == nil)
    }

    @Test func `a throttled line is busy with what was sent before`() {
        var shape = LinkShape()
        shape.bitsPerSecond = 8_000
        let message = LineMessage.audio([UInt8](repeating: 0, count: 100))
        shape.up.send(message, shape, at: .zero)
        shape.up.send(message, shape, at: .zero)
        #expect(shape.up.backlog(at: .milliseconds(50)) == .milliseconds(150))
        #expect(shape.up.arrived(at: .milliseconds(100)).count == 1)
        #expect(shape.up.due == .milliseconds(200))
    }

    @Test func `a line that is neither is no line at all`() {
        var shape = LinkShape()
        #expect(shape.isPlain)
        shape.delay = .milliseconds(1)
        #expect(!shape.isPlain)
        shape.down.send(.text([]), shape, at: .zero)
        shape.delay = .zero
        #expect(!shape.isPlain)
        shape.clear()
        #expect(shape.isPlain)
    }
}
