/// A whole sound in memory, such as a ringtone.
public struct DecodedSound: Sendable {
    /// The samples at 48 kHz, mono.
    public let samples: [Int16]
    /// The number of channels that the file has.
    public let channels: Int

    /// Decodes the bytes of a WAV or Ogg Opus file; which of them it is, its first bytes say.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - name: The name for messages.
    /// - Throws: ``MediaError`` with code `damaged`, `unsupportedFormat`, `codec` or `inputOutput`.
    public init(_ bytes: UnsafeRawBufferPointer, name: String) throws(MediaError) {
        let start = Array(bytes.prefix(4))
        if start.hasASCII("RIFF") || start.hasASCII("RF64") {
            var reader = try WAVReader(FileDescriptor(bytes: bytes, name: name))
            channels = reader.channelCount
            samples = try reader.readAll()
        } else if start.hasASCII("OggS") {
            var reader = try OggOpusReader(FileDescriptor(bytes: bytes, name: name))
            channels = reader.header.channels
            samples = try Self.decode(&reader)
        } else {
            let sentence = "\(name) is neither a WAV nor an Ogg Opus file; it must be one of them"
            throw MediaError(.unsupportedFormat, sentence)
        }
    }

    private static func decode(_ reader: inout OggOpusReader) throws(MediaError) -> [Int16] {
        var samples: [Int16] = []
        var decoder: OpusDecoder?
        while let packet = try reader.next() {
            if packet.beginsStream { decoder = nil }
            if decoder == nil { decoder = try OpusDecoder(gain: reader.header.gain) }
            guard let decoded = try decoder?.decode(packet.bytes) else { continue }
            samples.append(contentsOf: decoded[packet.audible.clamped(to: decoded.indices)])
        }
        return samples
    }
}
