import HubWire
import Testing

@testable import HubClient

@Suite("Sending audio")
struct AudioSenderTests {
    private var sender = AudioSender(maximumUnreported: 25, start: 0xFFFF_FFF0_FFFE)

    /// Adds one packet of 20 ms; returns the packet sent for it.
    private mutating func give() -> RTPPacket? {
        let (outcome, bytes) = sender.packet([0xF8, 1, 2], durationInSamples: 960)
        return outcome == .sent ? try? RTPPacket(parsing: bytes.span) : nil
    }

    private mutating func outcome() -> AudioOutcome {
        sender.packet([0xF8], durationInSamples: 960).outcome
    }

    @Test mutating func `nothing is sent without an audio session or a connection`() {
        #expect(outcome() == .noSession)
        sender.adopt(ssrc: 7, socket: nil)
        #expect(outcome() == .notConnected)
        sender.adopt(ssrc: 7, socket: 1)
        #expect(outcome() == .sent)
        sender.adopt(ssrc: nil, socket: 1)
        #expect(outcome() == .noSession)
    }

    @Test mutating func `sequence numbers have no gaps, and timestamps continue`() throws {
        sender.adopt(ssrc: 7, socket: 1)
        let first = try #require(give())
        let second = try #require(give())
        let third = try #require(give())
        #expect([first.ssrc, second.ssrc] == [7, 7])
        #expect([first.sequenceNumber, second.sequenceNumber, third.sequenceNumber] == [0xFFFE, 0xFFFF, 0])
        #expect(third.timestamp &- first.timestamp == 1_920)
        #expect([first.marker, second.marker, third.marker] == [true, false, false])
        #expect(first.payloadType == 111)
    }

    @Test mutating func `a pause advances the timestamp, not the sequence number, and sets the marker`() throws {
        sender.adopt(ssrc: 7, socket: 1)
        let first = try #require(give())
        sender.pause(samples: 4_800)
        sender.adopt(ssrc: 7, socket: nil)
        #expect(give() == nil)
        sender.adopt(ssrc: 7, socket: 2)
        let next = try #require(give())
        #expect(next.sequenceNumber == first.sequenceNumber &+ 1)
        #expect(next.timestamp &- first.timestamp == 960 + 4_800 + 960)
        #expect(next.marker)
    }

    @Test mutating func `at most 25 packets are sent unacknowledged over a stalled connection`() throws {
        sender.adopt(ssrc: 7, socket: 1)
        let first = try #require(give())
        sender.reported(ssrc: 7, highest: UInt32(first.sequenceNumber))
        let sent = (0..<40).filter { _ in give() != nil }
        #expect(sent.count == 26)
        let last = first.sequenceNumber &+ 26
        sender.reported(ssrc: 7, highest: 0x1_0000 | UInt32(last &- 20))
        #expect(outcome() == .stalled)
        sender.reported(ssrc: 7, highest: 0x1_0000 | UInt32(last))
        #expect(give()?.marker == true)
    }

    @Test mutating func `a stalled connection is probed twice a second`() throws {
        sender.adopt(ssrc: 7, socket: 1)
        let first = try #require(give())
        sender.reported(ssrc: 7, highest: UInt32(first.sequenceNumber))
        let sent = (0..<(26 + 100)).filter { _ in give() != nil }
        #expect(sent.count == 26 + 4)
    }

    @Test mutating func `a hub that never sends reports does not stop the audio`() {
        sender.adopt(ssrc: 7, socket: 1)
        for _ in 0..<200 { #expect(outcome() == .sent) }
    }

    @Test mutating func `reports of another audio session are ignored`() throws {
        sender.adopt(ssrc: 7, socket: 1)
        let first = try #require(give())
        sender.reported(ssrc: 8, highest: UInt32(first.sequenceNumber))
        for _ in 0..<200 { #expect(outcome() == .sent) }
    }
}
