/// A piece of music as the hub plays it: Opus packets of 20 ms, each behind its length in two bytes.
///
/// All are made by this module's own encoder, so that a hub sends to nobody what it has been given in a file.
public struct EncodedTrack: Sendable, Equatable {
    /// The packets with their lengths, big-endian.
    public let bytes: [UInt8]
    /// The number of packets.
    public let packetCount: Int

    /// Encodes a WAV or Ogg Opus file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which ends in `.wav`, `.ogg` or `.opus`.
    ///   - maximumBytes: The maximum length of the result.
    /// - Returns: The track; nil if it is longer.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, `unsupportedFormat` or `codec`; `damaged`
    ///   also for a file without any sound.
    public static func encoding(_ path: String, maximumBytes: Int) throws(MediaError) -> EncodedTrack? {
        guard let kind = AudioFileKind(path), kind != .standardStream else {
            throw MediaError(.unsupportedFormat, "\(path) has an unknown ending; it must be .wav, .ogg or .opus")
        }
        var settings = OpusEncoderSettings()
        settings.application = .audio
        settings.bitsPerSecond = bitsPerSecond
        let stream = try OpusPacketStream(openAudioSource(path, decoding: true), settings: settings)
        var (bytes, count): ([UInt8], Int) = ([], 0)
        while let packet = try stream.nextPacket() {
            guard let length = UInt16(exactly: packet.bytes.count), length > 0 else { continue }
            bytes.append(UInt8(length >> 8))
            bytes.append(UInt8(length & 0xFF))
            bytes += packet.bytes
            count += 1
            guard bytes.count <= maximumBytes else { return nil }
        }
        guard count > 0 else { throw MediaError(.damaged, "\(path) has no sound; name a file that has") }
        return EncodedTrack(bytes: bytes, packetCount: count)
    }

    /// Higher: better music, more of each listener's downlink and of the account's storage.
    private static let bitsPerSecond = 32_000
}

extension PreEncodedAudio {
    /// Creates the loop of some tracks, in turn; nil if there is no packet.
    ///
    /// - Parameter tracks: Tracks as ``EncodedTrack/bytes``; what follows a damaged length is left out.
    public init?(tracks: [[UInt8]]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(tracks.reduce(0) { $0 + $1.count })
        var offsets: [Int] = [0]
        for track in tracks {
            var place = 0
            while place + 2 <= track.count {
                let length = Int(track[place]) << 8 | Int(track[place + 1])
                guard (1...Self.largestPacket).contains(length), place + 2 + length <= track.count else { break }
                bytes += track[(place + 2)..<(place + 2 + length)]
                offsets.append(bytes.count)
                place += 2 + length
            }
        }
        guard offsets.count > 1 else { return nil }
        self.init(bytes: bytes, offsets: offsets)
    }

    /// The maximum size of an Opus packet of one frame (RFC 6716).
    private static let largestPacket = 1_275
}
