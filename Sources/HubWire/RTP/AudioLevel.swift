/// The audio level of a packet's source (RFC 6464), or of a source in a mixed packet (RFC 6465).
///
/// Both are elements of a header extension with one-byte headers (RFC 8285): the level of a client's own packet has the
/// identifier 1, those of the contributing sources of a packet from the hub have 2.
public struct AudioLevel: Hashable, Sendable {
    /// The level below the overload point, in decibels: 0 is the loudest, 127 digital silence.
    public var attenuation: UInt8
    /// Indicates that the source is speech by its sender's judgement; always false in a mixed packet.
    public var isVoice: Bool

    /// The level of digital silence.
    public static let silence = AudioLevel(attenuation: 127)

    /// Creates a level.
    ///
    /// - Parameters:
    ///   - attenuation: Decibels below the overload point, 0 to 127; a larger value counts as 127.
    ///   - isVoice: True if the source is speech.
    public init(attenuation: UInt8, isVoice: Bool = false) {
        self.attenuation = min(attenuation, 127)
        self.isVoice = isVoice
    }

    /// Parses the level that a client has put into its packet; nil: there is none.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - header: The packet's parsed header.
    public init?(in packet: Span<UInt8>, header: RTPPacket) {
        guard let place = Self.element(Self.identifierOfSource, in: packet, header), place.count == 1 else {
            return nil
        }
        let byte = packet[place.lowerBound]
        self.init(attenuation: byte & 0x7F, isVoice: byte & 0x80 != 0)
    }

    /// Parses the levels of a mixed packet's contributing sources, in their order; empty: there are none.
    ///
    /// - Parameters:
    ///   - packet: A whole RTP packet.
    ///   - header: The packet's parsed header.
    /// - Returns: The levels.
    public static func ofContributingSources(in packet: Span<UInt8>, header: RTPPacket) -> [AudioLevel] {
        guard let place = element(identifierOfContributors, in: packet, header) else { return [] }
        return place.map { AudioLevel(attenuation: packet[$0] & 0x7F) }
    }

    /// Returns the range of an element's data in a packet with one-byte headers.
    private static func element(_ identifier: UInt8, in packet: Span<UInt8>, _ header: RTPPacket) -> Range<Int>? {
        guard header.hasExtension else { return nil }
        let start = RTPPacket.headerSize + 4 * header.contributingSourceCount
        // The parsed header guarantees that the extension is inside the packet.
        let end = min(start + 4 + 4 * Int(packet.uint16(at: start + 2)), packet.count)
        guard packet.uint16(at: start) == profile else { return nil }
        var place = start + 4
        while place < end {
            let head = packet[place]
            place += 1
            // A byte of zero is padding; the identifier 15 ends the elements.
            if head == 0 { continue }
            if head >> 4 == 15 { return nil }
            let count = Int(head & 0x0F) + 1
            guard place + count <= end else { return nil }
            if head >> 4 == identifier { return place..<(place + count) }
            place += count
        }
        return nil
    }

    /// Appends an extension with the level of the packet's own source.
    ///
    /// - Parameter bytes: A packet's header so far, with its extension bit set.
    public func appendExtension(to bytes: inout [UInt8]) {
        Self.append(Self.identifierOfSource, [attenuation | (isVoice ? 0x80 : 0)], to: &bytes)
    }

    /// Appends an extension with the levels of the contributing sources, at most 15.
    static func appendExtension(_ levels: [AudioLevel], to bytes: inout [UInt8]) {
        append(identifierOfContributors, levels.prefix(15).map(\.attenuation), to: &bytes)
    }

    private static func append(_ identifier: UInt8, _ data: [UInt8], to bytes: inout [UInt8]) {
        let words = (1 + data.count + 3) / 4
        bytes.append(bigEndian: profile)
        bytes.append(bigEndian: UInt16(words))
        bytes.append(identifier << 4 | UInt8(data.count - 1))
        bytes.append(contentsOf: data)
        for _ in (1 + data.count)..<(4 * words) { bytes.append(0) }
    }

    /// The pattern that announces one-byte headers (RFC 8285 section 4.2).
    private static let profile: UInt16 = 0xBEDE
    private static let identifierOfSource: UInt8 = 1
    private static let identifierOfContributors: UInt8 = 2
}
