/// A reader of WAV files that returns 48 kHz mono.
///
/// Accepts PCM of 8, 16, 24 or 32 bits and 32-bit float, 1 to 64 channels, 4,000 to 384,000 Hz.
///
/// Files with an unfinished header (a streamed or killed recording, sizes 0 or 0xFFFFFFFF) are read to their end.
/// Unknown chunks are skipped. 16-bit mono at 48 kHz is returned bit for bit.
public struct WAVReader: ~Copyable {
    private var bytes: BufferedFileReader
    private let format: WAVFormat
    private var resampler: Resampler
    /// The bytes of audio left by the header; `nil` if the header does not have the size.
    private var remaining: Int?
    private var isAtEnd = false
    private var ready: [Float] = []
    private var readyStart = 0

    /// Opens a file and reads its header.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
    public init(path: String) throws(MediaError) {
        try self.init(FileDescriptor(reading: path))
    }

    /// The number of channels of the file, which are mixed down to one.
    public var channelCount: Int { format.channels }

    init(_ file: consuming FileDescriptor) throws(MediaError) {
        var bytes = BufferedFileReader(file)
        let header = try WAVHeader(&bytes)
        let resampler = try Resampler(from: header.format.samplesPerSecond)
        format = header.format
        remaining = header.dataByteCount
        self.resampler = resampler
        self.bytes = bytes
    }

    /// Reads the next samples.
    ///
    /// - Parameter samples: The buffer to fill, from its beginning.
    /// - Returns: The number of samples written: less than the buffer's size only at the end, then 0.
    /// - Throws: ``MediaError`` with code `inputOutput` if the file cannot be read.
    public mutating func read(into samples: UnsafeMutableBufferPointer<Int16>) throws(MediaError) -> Int {
        var count = 0
        while count < samples.count {
            if readyStart == ready.count {
                guard !isAtEnd else { break }
                try decodeMore()
                continue
            }
            let taken = min(samples.count - count, ready.count - readyStart)
            for index in 0..<taken {
                samples[count + index] = Int16(fullScale: ready[readyStart + index])
            }
            readyStart += taken
            count += taken
        }
        return count
    }

    /// Reads all remaining samples.
    ///
    /// - Returns: The samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput` if the file cannot be read.
    public mutating func readAll() throws(MediaError) -> [Int16] {
        var all: [Int16] = []
        while !isAtEnd || readyStart < ready.count {
            all.append(contentsOf: ready[readyStart...].lazy.map { Int16(fullScale: $0) })
            readyStart = ready.count
            if !isAtEnd { try decodeMore() }
        }
        return all
    }

    private mutating func decodeMore() throws(MediaError) {
        ready.removeAll(keepingCapacity: true)
        readyStart = 0
        let wanted = min(Self.framesPerRead * format.bytesPerFrame, remaining ?? .max)
        let block = try bytes.read(upTo: wanted)
        if let left = remaining { remaining = left - block.count }
        if block.count >= format.bytesPerFrame {
            var decoded: [Float] = []
            format.decode(block, into: &decoded)
            resampler.process(decoded, into: &ready)
        }
        if block.count < Self.framesPerRead * format.bytesPerFrame {
            resampler.finish(into: &ready)
            isAtEnd = true
        }
    }

    /// More: fewer calls; more memory.
    private static let framesPerRead = 2_048
}

/// The header of a WAV file, up to its audio data.
private struct WAVHeader {
    let format: WAVFormat
    /// The size of the audio data; `nil` if the writer of the file did not know it or did not finish.
    let dataByteCount: Int?

    init(_ bytes: inout BufferedFileReader) throws(MediaError) {
        let name = bytes.file.name
        let start = try bytes.read(upTo: 12)
        guard start.hasASCII("RIFF") || start.hasASCII("RF64"), start.hasASCII("WAVE", at: 8) else {
            throw MediaError(.damaged, "\(name) is not a WAV file; it must begin with RIFF and WAVE")
        }
        var position = 12
        var format: WAVFormat?
        while true {
            let chunk = try bytes.read(upTo: 8)
            guard let size = chunk.littleEndian32(at: 4).map(Int.init) else {
                throw MediaError(.damaged, "\(name): the file ends before its audio; it must have a data chunk")
            }
            position += 8
            if chunk.hasASCII("data") {
                guard let format else {
                    throw MediaError(.damaged, "\(name): the data chunk comes first; a format chunk must come before")
                }
                self.format = format
                dataByteCount = Self.knownSize(size, position: position, fileSize: start.littleEndian32(at: 4))
                return
            }
            if chunk.hasASCII("fmt ") {
                let content = try bytes.read(upTo: min(size, 65_536))
                format = try WAVFormat(chunk: content, file: name)
                try bytes.skip(size - content.count + size % 2)
            } else {
                try bytes.skip(size + size % 2)
            }
            position += size + size % 2
        }
    }

    /// Returns the header's size, or `nil` if it is not real: streams have 0xFFFFFFFF (or nearly), killed writers 0.
    private static func knownSize(_ size: Int, position: Int, fileSize: UInt32?) -> Int? {
        if size >= 0xFFFF_FF00 || size == 0x7FFF_F000 { return nil }
        guard size == 0 else { return size }
        // A size of 0 is real only if the file's size implies more chunks after this one.
        guard let fileSize, fileSize < 0xFFFF_FF00, Int(fileSize) + 8 > position else { return nil }
        return 0
    }
}
