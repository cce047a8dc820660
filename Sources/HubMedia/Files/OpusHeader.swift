/// The first packet of an Ogg Opus stream, OpusHead (RFC 7845 section 5.1).
public struct OpusHeader: Sendable, Equatable {
    /// The number of channels, 1 or 2; more are refused.
    public let channels: Int

    /// The samples at 48 kHz to decode and discard at the start.
    public let preSkipInSamples: Int

    /// The gain to apply on decoding, in 1/256 dB.
    public let gain: Int16

    init(channels: Int, preSkipInSamples: Int, gain: Int16 = 0) {
        self.channels = channels
        self.preSkipInSamples = preSkipInSamples
        self.gain = gain
    }

    /// Parses the packet.
    ///
    /// - Throws: ``MediaError`` naming the file: `damaged` or `unsupportedFormat`.
    init(packet: [UInt8], file name: String) throws(MediaError) {
        guard packet.hasASCII("OpusHead"), packet.count >= 19,
            let preSkip = packet.littleEndian16(at: 10),
            let gain = packet.littleEndian16(at: 16)
        else {
            throw MediaError(.damaged, "\(name): the Opus header has \(packet.count) bytes; it must have 19 or more")
        }
        guard packet[8] & 0xF0 == 0 else {
            let version = packet[8]
            throw MediaError(.unsupportedFormat, "\(name): the Opus header has version \(version); it must be below 16")
        }
        let channels = Int(packet[9])
        let family = packet[18]
        // Family 1 with up to two channels is one stream, just as family 0 (section 5.1.1.2).
        let isOneStream = family == 0 || (family == 1 && packet.count > 19 && packet[19] == 1)
        guard (1...2).contains(channels), isOneStream else {
            throw MediaError(
                .unsupportedFormat,
                "\(name): there are \(channels) channels (mapping family \(family)); there must be one or two in one stream"
            )
        }
        self.channels = channels
        preSkipInSamples = Int(preSkip)
        self.gain = Int16(bitPattern: gain)
    }

    /// The header as a packet for a file.
    var packet: [UInt8] {
        var packet = Array("OpusHead".utf8)
        packet.append(1)
        packet.append(UInt8(clamping: channels))
        packet.appendLittleEndian(UInt16(clamping: preSkipInSamples))
        packet.appendLittleEndian(UInt32(AudioFormat.samplesPerSecond))
        packet.appendLittleEndian(gain)
        packet.append(0)
        return packet
    }

    /// The second packet of a stream, OpusTags, with no tags in it (RFC 7845 section 5.2).
    static var emptyTags: [UInt8] {
        let vendor = Array("CallHub".utf8)
        var packet = Array("OpusTags".utf8)
        packet.appendLittleEndian(UInt32(vendor.count))
        packet.append(contentsOf: vendor)
        packet.appendLittleEndian(UInt32(0))
        return packet
    }
}
