/// A writer of WAV files of 48 kHz, 16 bits, mono, which updates the header with each second of audio.
///
/// If the process is killed, the file lacks no more than its last second. In a pipe, in which a header cannot be
/// rewritten, the sizes are "unknown" (0xFFFFFFFF) from the start.
public struct WAVWriter: ~Copyable {
    private let file: FileDescriptor
    private var writtenSamples = 0
    private var samplesInHeader = 0
    private var isClosed = false

    /// Creates a file, or truncates an existing one, and writes its header.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public init(path: String) throws(MediaError) {
        try self.init(FileDescriptor(creating: path))
    }

    init(_ file: consuming FileDescriptor) throws(MediaError) {
        self.file = file
        let header = Self.header(sampleCount: nil)
        try self.file.write(header)
    }

    deinit {
        if !isClosed { try? finish() }
    }

    /// Appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`, or `invalidArgument` once the file is full (about 12 hours).
    public mutating func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        guard writtenSamples + samples.count <= Self.maximumFileSampleCount else {
            throw MediaError(.invalidArgument, "\(file.name) is full: a WAV file holds no more than 4 GB")
        }
        // The hosts CallHub runs on are little-endian, as WAV is.
        try file.writeAll(UnsafeRawBufferPointer(samples))
        writtenSamples += samples.count
        if writtenSamples - samplesInHeader >= AudioFormat.samplesPerSecond { try flush() }
    }

    /// Updates the header for the samples so far.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public mutating func flush() throws(MediaError) {
        guard samplesInHeader < writtenSamples else { return }
        try file.overwrite(Self.header(sampleCount: writtenSamples), at: 0)
        samplesInHeader = writtenSamples
    }

    /// Appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`, or `invalidArgument` once the file is full (about 12 hours).
    public mutating func append(_ samples: [Int16]) throws(MediaError) {
        let result = samples.withUnsafeBufferPointer { samples in
            Result { () throws(MediaError) in try append(samples) }
        }
        try result.get()
    }

    /// Writes the final header; later calls do nothing.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public mutating func close() throws(MediaError) {
        guard !isClosed else { return }
        isClosed = true
        try finish()
    }

    private func finish() throws(MediaError) {
        try file.overwrite(Self.header(sampleCount: writtenSamples), at: 0)
    }

    private static func header(sampleCount: Int?) -> [UInt8] {
        let dataSize = sampleCount.map { UInt32(clamping: $0 * 2) } ?? .max
        var header = Array("RIFF".utf8)
        header.appendLittleEndian(sampleCount == nil ? UInt32.max : dataSize + 36)
        header.append(contentsOf: "WAVEfmt ".utf8)
        header.appendLittleEndian(UInt32(16))
        header.appendLittleEndian(UInt16(1))  // PCM
        header.appendLittleEndian(UInt16(1))  // mono
        header.appendLittleEndian(UInt32(AudioFormat.samplesPerSecond))
        header.appendLittleEndian(UInt32(AudioFormat.samplesPerSecond * 2))
        header.appendLittleEndian(UInt16(2))
        header.appendLittleEndian(UInt16(16))
        header.append(contentsOf: "data".utf8)
        header.appendLittleEndian(dataSize)
        return header
    }

    /// The largest number of samples with which the file's size fits into 32 bits.
    private static let maximumFileSampleCount = (Int(UInt32.max) - 44) / 2
}

extension FileDescriptor {
    /// Writes all bytes of an array.
    func write(_ bytes: [UInt8]) throws(MediaError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in try writeAll(bytes) }
        }
        try result.get()
    }
}
