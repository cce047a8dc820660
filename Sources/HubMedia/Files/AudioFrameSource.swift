/// A piece of audio to send: samples to encode, or an Opus packet to send as it is.
public enum AudioFrame: Sendable, Equatable {
    /// 960 samples: 20 ms at 48 kHz, mono.
    case samples([Int16])
    /// A mono Opus packet of 10, 20, 40 or 60 ms, and its duration in samples at 48 kHz.
    case packet([UInt8], durationInSamples: Int)

    /// The duration of the frame, in samples at 48 kHz.
    public var durationInSamples: Int {
        switch self {
        case .samples(let samples): samples.count
        case .packet(_, let duration): duration
        }
    }
}

/// A producer of audio frames: a file, a pipe, a tone.
///
/// A source has no clock: the sender requests the next frame when the last one has been played.
public protocol AudioFrameSource: AnyObject {
    /// Returns the next frame.
    ///
    /// - Returns: The frame; `nil` at the end and from then on. A last frame of samples is padded with silence.
    /// - Throws: ``MediaError`` if the source cannot be read, or its data is not valid.
    func nextFrame() throws(MediaError) -> AudioFrame?
}

/// Opens a source to be sent to the other party, chosen by the extension of its path.
///
/// - Parameters:
///   - path: A `.wav` file, an `.ogg` or `.opus` file, or `-` for raw 48 kHz 16-bit mono on standard input.
///   - decoding: True to return samples for Ogg files even if their packets could be sent as they are.
/// - Returns: A source at its beginning.
/// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
public func openAudioSource(_ path: String, decoding: Bool = false) throws(MediaError) -> any AudioFrameSource {
    switch AudioFileKind(path) {
    case .standardStream: RawAudioSource(descriptor: 0, name: "standard input")
    case .wav: try WAVSource(path: path)
    case .ogg: try OggOpusSource(path: path, decoding: decoding)
    case nil: throw AudioFileKind.unknownEnding(path)
    }
}

/// A source that plays a WAV file.
public final class WAVSource: AudioFrameSource {
    private var reader: WAVReader

    /// Opens the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
    public init(path: String) throws(MediaError) {
        reader = try WAVReader(path: path)
    }

    /// Returns the next 960 samples.
    ///
    /// - Returns: The samples; `nil` at the end.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func nextFrame() throws(MediaError) -> AudioFrame? {
        var samples = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
        let result = samples.withUnsafeMutableBufferPointer { samples in
            Result { () throws(MediaError) in try reader.read(into: samples) }
        }
        return try result.get() > 0 ? .samples(samples) : nil
    }
}

/// The kind of audio that a path names, by its extension.
enum AudioFileKind {
    case standardStream
    case wav
    case ogg

    init?(_ path: String) {
        let path = path.lowercased()
        if path == "-" {
            self = .standardStream
        } else if path.hasSuffix(".wav") {
            self = .wav
        } else if path.hasSuffix(".ogg") || path.hasSuffix(".opus") {
            self = .ogg
        } else {
            return nil
        }
    }

    static func unknownEnding(_ path: String) -> MediaError {
        MediaError(.unsupportedFormat, "\(path) has an unknown ending; it must be .wav, .ogg, .opus, or - alone")
    }
}
