import HubWire
import Testing

@Suite struct RTPPacketTests {
    private static let header: [UInt8] = [
        0x80, 0xEF, 0x12, 0x34, 0xDE, 0xAD, 0xBE, 0xEF, 0xCA, 0xFE, 0xBA, 0xBE,
    ]

    @Test func `each field of the fixed header is at the position of RFC 3550`() throws {
        let packet = try read(Self.header + [1, 2, 3])
        #expect(packet.marker)
        #expect(packet.payloadType == 111)
        #expect(packet.sequenceNumber == 0x1234)
        #expect(packet.timestamp == 0xDEAD_BEEF)
        #expect(packet.ssrc == 0xCAFE_BABE)
        #expect(packet.contributingSourceCount == 0)
        #expect(!packet.hasExtension)
        #expect(!packet.hasPadding)
        #expect(packet.payloadRange == 12..<15)
    }

    @Test func `contributing sources, header extension and padding are not payload`() throws {
        var bytes = Self.header
        bytes[0] = 0x80 | 0x20 | 0x10 | 2
        bytes += [0, 0, 0, 1, 0, 0, 0, 2]
        bytes += [0xBE, 0xDE, 0, 1, 0x10, 0x7F, 0, 0]
        bytes += [0xAA, 0xBB, 0, 0, 3]
        let packet = try read(bytes)
        #expect(packet.contributingSourceCount == 2)
        #expect(packet.hasExtension)
        #expect(packet.hasPadding)
        #expect(packet.payloadRange == 28..<30)
    }

    @Test func `a packet may consist of padding only`() throws {
        var bytes = Self.header + [0, 0, 0, 4]
        bytes[0] |= 0x20
        #expect(try read(bytes).payloadRange == 12..<12)
    }

    /// A first byte, the bytes after the fixed header, and the expected error.
    private static let faults: [(first: UInt8, rest: [UInt8], fault: RTPPacket.Fault)] = [
        (0x40, [], .wrongVersion),
        (0x00, [], .wrongVersion),
        (0xC0, [], .wrongVersion),
        (0x81, [], .truncatedHeader),
        (0x8F, [UInt8](repeating: 0, count: 59), .truncatedHeader),
        (0x90, [], .truncatedHeader),
        (0x90, [0xBE, 0xDE, 0, 1, 0, 0, 0], .truncatedHeader),
        (0x90, [0xBE, 0xDE, 0xFF, 0xFF], .truncatedHeader),
        (0xA0, [], .wrongPadding),
        (0xA0, [0], .wrongPadding),
        (0xA0, [1, 3], .wrongPadding),
    ]

    @Test func `fewer bytes than the fixed header are too short`() {
        for count in 0..<12 {
            #expect(throws: RTPPacket.Fault.tooShort) { try read(Array(Self.header.prefix(count))) }
        }
    }

    @Test(arguments: faults)
    func `an invalid packet is refused with a distinct reason`(first: UInt8, rest: [UInt8], fault: RTPPacket.Fault) {
        #expect(throws: fault) { try read([first] + Self.header.dropFirst() + rest) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a packet is parsed as it was built`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let (payload, sources) = (random.bytes(upTo: 40), random.list { $0.number(0...UInt32.max) })
            let (marker, type) = (random.flag(), random.number(0...127 as ClosedRange<UInt8>))
            let (number, time) = (random.number(0...UInt16.max), random.number(0...UInt32.max))
            let ssrc = random.number(0...UInt32.max)
            var bytes: [UInt8] = []
            RTPPacket.append(
                marker: marker,
                payloadType: type,
                sequenceNumber: number,
                timestamp: time,
                ssrc: ssrc,
                contributingSources: sources,
                payload: payload.span,
                to: &bytes
            )
            let packet = try read(bytes)
            #expect(packet.marker == marker)
            #expect(packet.payloadType == type)
            #expect(packet.sequenceNumber == number)
            #expect(packet.timestamp == time)
            #expect(packet.ssrc == ssrc)
            #expect(packet.contributingSourceCount == sources.count)
            #expect(Array(bytes[packet.payloadRange]) == payload)
        }
    }

    @Test func `RTCP is distinguished from RTP by the second byte as in RFC 5761`() {
        let rtcp = (0...255 as ClosedRange<UInt8>).filter(RTPPacket.isRTCP(secondByte:))
        #expect(rtcp == Array(192...223))
        #expect(!RTPPacket.isRTCP(secondByte: 111))
        #expect(!RTPPacket.isRTCP(secondByte: 111 | 0x80))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `the payload of arbitrary bytes lies within them`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            var bytes = random.bytes(upTo: 100)
            if !bytes.isEmpty { bytes[0] = 0x80 | bytes[0] & 0x3F }
            guard let packet = try? read(bytes) else { continue }
            #expect(packet.payloadRange.lowerBound >= 12)
            #expect(packet.payloadRange.upperBound <= bytes.count)
        }
    }

    private func read(_ bytes: [UInt8]) throws(RTPPacket.Fault) -> RTPPacket {
        try RTPPacket(parsing: bytes.span)
    }
}
