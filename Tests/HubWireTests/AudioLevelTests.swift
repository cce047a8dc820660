import HubWire
import Testing

/// The audio levels in header extensions (RFC 6464, RFC 6465).
@Suite struct AudioLevelTests {
    /// A packet with an extension of some words after its fixed header.
    private func packet(profile: [UInt8] = [0xBE, 0xDE], _ elements: [UInt8]) throws -> ([UInt8], RTPPacket) {
        let head: [UInt8] = [0x90, 111, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
        let bytes = head + profile + [0, UInt8(elements.count / 4)] + elements + [0x08, 0xFF]
        return (bytes, try RTPPacket(parsing: bytes.span))
    }

    @Test func `a level and the voice flag are read, behind padding and other elements`() throws {
        let (bytes, header) = try packet([0, 0x32, 1, 2, 3, 0x10, 0x80 | 42, 0])
        #expect(AudioLevel(in: bytes.span, header: header) == AudioLevel(attenuation: 42, isVoice: true))
    }

    @Test func `what is no level is none`() throws {
        // Two-byte headers, an element of two bytes, the end of elements, an element beyond the extension.
        for (profile, elements) in [
            ([0x10, 0x00], [0x10, 42, 0, 0]), ([0xBE, 0xDE], [0x11, 42, 42, 0]), ([0xBE, 0xDE], [0xF0, 0x10, 42, 0]),
            ([0xBE, 0xDE], [0x3F, 42, 0, 0]), ([0xBE, 0xDE], []),
        ] as [([UInt8], [UInt8])] {
            let (bytes, header) = try packet(profile: profile, elements)
            #expect(AudioLevel(in: bytes.span, header: header) == nil)
        }
        let plain: [UInt8] = [0x80, 111, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0x08]
        #expect(AudioLevel(in: plain.span, header: try RTPPacket(parsing: plain.span)) == nil)
    }

    @Test func `an appended level is read again`() throws {
        var bytes: [UInt8] = [0x90, 111, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
        AudioLevel(attenuation: 200, isVoice: true).appendExtension(to: &bytes)
        let header = try RTPPacket(parsing: bytes.span)
        #expect(AudioLevel(in: bytes.span, header: header) == AudioLevel(attenuation: 127, isVoice: true))
        #expect(header.payloadRange.isEmpty)
    }

    @Test(arguments: [1, 3, 4, 15])
    func `a mixed packet has the levels of its contributing sources`(count: Int) throws {
        let levels = (0..<count).map { AudioLevel(attenuation: UInt8($0 * 8)) }
        let payload: [UInt8] = [0x08, 1, 2]
        var bytes: [UInt8] = []
        RTPPacket.append(
            payloadType: 111,
            sequenceNumber: 1,
            timestamp: 2,
            ssrc: 3,
            contributingSources: (0..<UInt32(count)).map { 1_000 + $0 },
            levels: levels,
            payload: payload.span,
            to: &bytes
        )
        let header = try RTPPacket(parsing: bytes.span)
        #expect(AudioLevel.ofContributingSources(in: bytes.span, header: header) == levels)
        #expect(Array(bytes[header.payloadRange]) == payload)
        #expect(AudioLevel(in: bytes.span, header: header) == nil)
    }
}
