/// The sample format of a WAV file: the chunk `fmt ` after validation.
struct WAVFormat: Equatable {
    /// The sample types that this module reads.
    enum Sample: Equatable {
        case unsigned8
        case signed16
        case signed24
        case signed32
        case float32

        /// The size of one sample of one channel, in bytes.
        var byteCount: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            }
        }
    }

    let sample: Sample
    let channels: Int
    let samplesPerSecond: Int

    /// The size of one sample of all channels, in bytes.
    var bytesPerFrame: Int { channels * sample.byteCount }

    /// Parses the contents of the chunk `fmt `.
    ///
    /// - Throws: ``MediaError`` naming the file: `damaged` or `unsupportedFormat`.
    init(chunk: [UInt8], file name: String) throws(MediaError) {
        guard var format = chunk.littleEndian16(at: 0),
            let channels = chunk.littleEndian16(at: 2),
            let rate = chunk.littleEndian32(at: 4),
            let blockAlignment = chunk.littleEndian16(at: 12),
            let bits = chunk.littleEndian16(at: 14)
        else {
            throw MediaError(.damaged, "\(name): its format chunk has \(chunk.count) bytes; it must have 16 or more")
        }
        // WAVE_FORMAT_EXTENSIBLE stores the format in the first two bytes of its GUID.
        if format == 0xFFFE {
            guard let subformat = chunk.littleEndian16(at: 24) else {
                throw MediaError(.damaged, "\(name): the extensible WAV format chunk ends early; it must have 40 bytes")
            }
            format = subformat
        }
        sample =
            switch (format, bits) {
            case (1, 8): .unsigned8
            case (1, 16): .signed16
            case (1, 24): .signed24
            case (1, 32): .signed32
            case (3, 32): .float32
            default:
                throw MediaError(
                    .unsupportedFormat,
                    "\(name): the samples are of WAV format \(format) with \(bits) bits; "
                        + "they must be PCM of 8, 16, 24 or 32 bits or floating point of 32 bits"
                )
            }
        guard (1...64).contains(channels) else {
            throw MediaError(.unsupportedFormat, "\(name): there are \(channels) channels; there must be 1 to 64")
        }
        guard let rate = Int(exactly: rate), Resampler.acceptedRates.contains(rate) else {
            throw MediaError(.unsupportedFormat, "\(name): the sample rate is \(rate); it must be from 4000 to 384000")
        }
        self.channels = Int(channels)
        samplesPerSecond = rate
        guard Int(blockAlignment) == bytesPerFrame else {
            let right = bytesPerFrame
            throw MediaError(.damaged, "\(name): a WAV block has \(blockAlignment) bytes; it must have \(right)")
        }
    }

    /// Decodes whole frames to mono, full scale being -1 to 1, by the mean of the channels.
    func decode(_ bytes: [UInt8], into output: inout [Float]) {
        let frames = bytes.count / bytesPerFrame
        let share = 1 / Float(channels)
        output.reserveCapacity(output.count + frames)
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            for _ in 0..<frames {
                var sum: Float = 0
                for _ in 0..<channels {
                    sum += value(bytes, at: offset)
                    offset += sample.byteCount
                }
                output.append(channels == 1 ? sum : sum * share)
            }
        }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
        switch sample {
        case .unsigned8:
            return (Float(bytes[offset]) - 128) / 128
        case .signed16:
            return Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 32_768
        case .signed24:
            let low = UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1]) << 16
            return Float(Int32(bitPattern: low | UInt32(bytes[offset + 2]) << 24)) / 2_147_483_648
        case .signed32:
            let value = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
            return Float(value) / 2_147_483_648
        case .float32:
            let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let value = Float(bitPattern: bits)
            return value.isFinite ? max(-8, min(8, value)) : 0
        }
    }
}

extension Int16 {
    /// Converts and rounds a sample whose full scale is -1 to 1; louder values are clipped.
    init(fullScale value: Float) {
        self.init(Swift.max(-32_768, Swift.min(32_767, (value * 32_768).rounded())))
    }
}
