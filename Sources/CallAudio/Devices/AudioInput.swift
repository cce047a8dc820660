package import HubMedia

/// The microphone of a device: what the other party of a call hears.
public enum AudioInput: Hashable, Sendable {
    /// There is none: nothing is sent.
    case none
    /// A WAV or Ogg Opus file, from its beginning at the first call, once; when all calls have ended, anew.
    case file(String)
    /// Raw audio, 48 kHz, 16 bits, mono, live: of a named pipe, or of standard input (`-`).
    case pipe(String)
    /// A device of ALSA, such as `default` or `plughw:0`; it is open during calls alone.
    case alsa(String)
    /// A tone without an end, for tests.
    case tone(hertz: Double)

    /// Reads a value as of the environment variable `CALLHUB_AUDIO_IN`.
    ///
    /// - Parameter text: `file:PATH`, `pipe:PATH`, `-`, `alsa:NAME`, `tone:HERTZ`, or `none`.
    /// - Throws: ``MediaError`` with code `invalidArgument`.
    package init(text: String) throws(MediaError) {
        let value = DeviceText(text)
        switch value.kind {
        case "", "none": self = .none
        case "-": self = .pipe("-")
        case "file" where !value.name.isEmpty: self = .file(value.name)
        case "pipe" where !value.name.isEmpty: self = .pipe(value.name)
        case "alsa" where !value.name.isEmpty: self = .alsa(value.name)
        case "tone":
            guard let hertz = Double(value.name), (20...20_000).contains(hertz) else {
                throw MediaError(.invalidArgument, "\(text) is no tone; its frequency must be from 20 to 20000 Hz.")
            }
            self = .tone(hertz: hertz)
        default:
            let forms = "file:PATH, pipe:PATH, -, alsa:NAME, tone:HERTZ or none"
            throw DeviceText.unknown(text, "a microphone", forms)
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

    /// Indicates that the sound goes on while nobody takes it.
    package var isLive: Bool {
        switch self {
        case .pipe, .alsa: true
        case .none, .file, .tone: false
        }
    }

    /// Indicates that it is open during calls alone, so that other programs have it at other times.
    var isShared: Bool { if case .alsa = self { true } else { false } }

    /// The name for people; nil: there is no microphone.
    package var name: String? {
        switch self {
        case .none: nil
        case .file(let path): path
        case .pipe(let path): path == "-" ? "standard input" : path
        case .alsa(let name): name
        case .tone(let hertz): "a tone of \(hertz) Hz"
        }
    }

    /// Opens the source.
    ///
    /// - Returns: A source at its beginning; nil: there is none.
    /// - Throws: ``MediaError`` naming the file or device.
    package func open() throws(MediaError) -> (any AudioFrameSource)? {
        switch self {
        case .none: nil
        case .file(let path): try openAudioSource(path)
        case .pipe("-"): RawAudioSource(descriptor: 0, name: "standard input")
        case .pipe(let path): try RawAudioSource(pipe: path)
        case .alsa(let name): try ALSASource(name)
        case .tone(let hertz): ToneSource(hertz: hertz)
        }
    }
}

/// A source that plays a tone without an end.
private final class ToneSource: AudioFrameSource {
    private var tone: Tone

    init(hertz: Double) { tone = Tone(hertz: hertz, amplitude: 0.2) }

    func nextFrame() throws(MediaError) -> AudioFrame? { .samples(tone.next(AudioFormat.samplesPerFrame)) }
}

/// A value that names a device by its kind and name, as in `file:PATH`.
struct DeviceText {
    let kind: Substring
    let name: String

    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        kind = parts.first ?? ""
        name = parts.count > 1 ? String(parts[1]) : ""
    }

    static func unknown(_ text: String, _ what: String, _ forms: String) -> MediaError {
        MediaError(.invalidArgument, "\(text) does not name \(what); it must be \(forms).")
    }
}
