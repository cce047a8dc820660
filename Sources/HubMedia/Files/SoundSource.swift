/// A piece of sound on its way out: samples to be encoded, or an Opus packet that is passed on as it is.
public enum AudioFrame: Sendable, Equatable {
    /// 960 samples: 20 ms at 48 kHz, mono.
    case samples([Int16])
    /// A mono Opus packet of 10, 20, 40 or 60 ms, and its duration in samples at 48 kHz.
    case packet([UInt8], durationInSamples: Int)

    /// How long the piece lasts, in samples at 48 kHz.
    public var durationInSamples: Int {
        switch self {
        case .samples(let samples): samples.count
        case .packet(_, let duration): duration
        }
    }
}

/// Something that gives sound piece by piece: a file, a pipe, a tone.
///
/// A source keeps no time: whoever sends asks for the next piece when the last one has gone by.
public protocol SoundSource: AnyObject {
    /// Gives the next piece.
    ///
    /// - Returns: The piece; `nil` at the end and from then on. A last piece of samples is filled up with silence.
    /// - Throws: ``MediaError`` if the source cannot be read on.
    func nextFrame() throws(MediaError) -> AudioFrame?
}

/// Opens something to be heard by the other side, chosen by the ending of its name.
///
/// - Parameters:
///   - path: A `.wav` file, an `.ogg` or `.opus` file, or `-` for raw 48 kHz 16-bit mono on standard input.
///   - decoding: Whether Ogg files give samples also where their packets could be passed on as they are.
/// - Returns: A source at its beginning.
/// - Throws: ``MediaError`` naming the file: it cannot be opened, is not what its name says, or the ending is unknown.
public func openSoundSource(_ path: String, decoding: Bool = false) throws(MediaError) -> any SoundSource {
    switch AudioPath(path) {
    case .standardStream: RawAudioSource(descriptor: 0, name: "standard input")
    case .wav: try WAVSource(path: path)
    case .ogg: try OggOpusSource(path: path, decoding: decoding)
    case nil: throw AudioPath.unknownEnding(path)
    }
}

/// Plays a WAV file.
public final class WAVSource: SoundSource {
    private var reader: WAVReader

    /// Opens the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` naming the file.
    public init(path: String) throws(MediaError) {
        reader = try WAVReader(path: path)
    }

    /// Gives the next 960 samples.
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

/// What a path says about the kind of sound behind it.
enum AudioPath {
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
