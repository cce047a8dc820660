package import HubMedia

/// The receiver or speaker of a device: what its user hears, of calls and of the app's players together.
public enum AudioOutput: Hashable, Sendable {
    /// There is none: nothing is decoded.
    case none
    /// A WAV or Ogg Opus file, which an existing one is replaced by: all that is heard, without the time in between.
    case file(String)
    /// Raw audio, 48 kHz, 16 bits, mono: to a named pipe, or to standard output (`-`).
    case pipe(String)
    /// A device of ALSA, such as `default` or `plughw:0`; it is open while there is something to hear.
    case alsa(String)
    /// Memory, for tests: `CallScreen.takeHeard()`.
    case memory

    /// Reads a value as of the environment variable `CALLHUB_AUDIO_OUT`.
    ///
    /// - Parameter text: `file:PATH`, `pipe:PATH`, `-`, `alsa:NAME`, or `none`.
    /// - Throws: ``MediaError`` with code `invalidArgument`.
    package init(text: String) throws(MediaError) {
        let value = DeviceText(text)
        switch value.kind {
        case "", "none": self = .none
        case "-": self = .pipe("-")
        case "file" where !value.name.isEmpty: self = .file(value.name)
        case "pipe" where !value.name.isEmpty: self = .pipe(value.name)
        case "alsa" where !value.name.isEmpty: self = .alsa(value.name)
        default: throw DeviceText.unknown(text, "a speaker", "file:PATH, pipe:PATH, -, alsa:NAME or none")
        }
    }

    /// Reads the value of an option of a command: a path, `-`, or `alsa:NAME`; nil: none.
    package init(argument: String?) throws(MediaError) {
        guard let argument else {
            self = .none
            return
        }
        self = argument.hasPrefix("alsa:") ? try Self(text: argument) : argument == "-" ? .pipe("-") : .file(argument)
    }

    /// Indicates that it is open while there is something to hear, so that other programs have it at other times.
    var isShared: Bool { if case .alsa = self { true } else { false } }

    /// The name for people; nil: there is no speaker.
    package var name: String? {
        switch self {
        case .none: nil
        case .file(let path): path
        case .pipe(let path): path == "-" ? "standard output" : path
        case .alsa(let name): name
        case .memory: "memory"
        }
    }

    /// Opens the sink.
    ///
    /// - Returns: An empty sink; nil: there is none.
    /// - Throws: ``MediaError`` naming the file or device.
    package func open() throws(MediaError) -> (any AudioFrameSink)? {
        switch self {
        case .none: nil
        case .file(let path): try openAudioSink(path)
        case .pipe("-"): RawAudioSink(descriptor: 1, name: "standard output")
        case .pipe(let path): try NamedPipeSink(path: path)
        case .alsa(let name): try ALSASink(name)
        case .memory: SampleSink()
        }
    }
}

/// A sink that keeps samples in memory: ten minutes at most, the newest ones.
final class SampleSink: AudioFrameSink {
    private var samples: [Int16] = []

    var storesPackets: Bool { false }

    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        self.samples.append(contentsOf: samples)
        let surplus = self.samples.count - Self.maximumSamples
        if surplus > Self.maximumSamples / 10 { self.samples.removeFirst(surplus) }
    }

    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        throw MediaError(.invalidArgument, "memory holds samples; packets must be decoded first")
    }

    func close() throws(MediaError) {}

    /// Returns and removes all samples.
    func take() -> [Int16] {
        defer { samples = [] }
        return samples
    }

    private static let maximumSamples = 600 * AudioFormat.samplesPerSecond
}
