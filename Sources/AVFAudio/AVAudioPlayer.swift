import CallAudio
import CallSystem
public import Foundation
import HubMedia

/// A player of a sound, such as a ringback tone: a WAV or Ogg Opus file, which it holds decoded.
///
/// It plays to the output of the app's calls, together with them. The delegate is called on the main queue.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any AVAudioPlayerDelegate)?
        var numberOfLoops = 0
    }

    /// The file; nil: the player was made from data.
    public let url: URL?
    /// The data; nil: the player was made from a file.
    public let data: Data?
    /// The number of channels of the file.
    public let numberOfChannels: Int
    private let system: CallSystem
    private let voice: PlayerVoice
    private let state = Locked(State())
    private let relay: EndRelay

    /// Tells a player, if it is still there, of the end of its sound.
    private final class EndRelay: Sendable {
        private struct Reference { weak var player: AVAudioPlayer? }

        private let reference = Locked(Reference())

        func set(_ player: AVAudioPlayer) {
            reference.withLock { $0.player = player }
        }

        func end() {
            reference.withLock { $0.player }?.finish()
        }
    }

    /// Opens a file.
    ///
    /// - Parameter url: The URL of a file.
    /// - Throws: An `NSError` of the domain `NSOSStatusErrorDomain` if it cannot be read or is of another kind.
    public convenience init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, fileTypeHint: nil)
    }

    /// Opens a file; its content says of what kind it is, and the hint is ignored.
    ///
    /// - Parameters:
    ///   - url: The URL of a file.
    ///   - utiString: The uniform type identifier.
    /// - Throws: An `NSError` of the domain `NSOSStatusErrorDomain` if it cannot be read or is of another kind.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        let content: Data
        do {
            content = try Data(contentsOf: url)
        } catch {
            throw Self.error(Self.unspecifiedError, "\(url.path) cannot be read: \(error.localizedDescription)")
        }
        try self.init(content, url: url, name: url.path)
    }

    /// Opens the content of a file.
    ///
    /// - Parameter data: The content of a file.
    /// - Throws: An `NSError` of the domain `NSOSStatusErrorDomain` if it is of another kind.
    public convenience init(data: Data) throws {
        try self.init(data, url: nil, name: "the data")
    }

    /// Opens the content of a file; it says itself of what kind it is, and the hint is ignored.
    ///
    /// - Parameters:
    ///   - data: The content of a file.
    ///   - utiString: The uniform type identifier.
    /// - Throws: An `NSError` of the domain `NSOSStatusErrorDomain` if it is of another kind.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws {
        try self.init(data: data)
    }

    private init(_ content: Data, url: URL?, name: String) throws {
        let sound: DecodedSound
        do {
            sound = try content.withUnsafeBytes { try DecodedSound($0, name: name) }
        } catch let error as MediaError {
            let isOtherKind = error.code == .unsupportedFormat
            throw Self.error(isOtherKind ? Self.unsupportedFileTypeError : Self.invalidFileError, error.message)
        }
        (self.url, data) = (url, url == nil ? content : nil)
        numberOfChannels = sound.channels
        system = .current
        let relay = EndRelay()
        self.relay = relay
        voice = system.makeVoice(sound.samples) { relay.end() }
        super.init()
        relay.set(self)
    }

    deinit { voice.isPlaying = false }

    // MARK: Playing

    /// Prepares the player, so that it begins without a delay.
    ///
    /// - Returns: Always true.
    @discardableResult
    open func prepareToPlay() -> Bool { true }

    /// Plays the sound, from the current time.
    ///
    /// - Returns: Always true.
    @discardableResult
    open func play() -> Bool {
        if !voice.isPlaying { voice.repetitions = numberOfLoops }
        system.play(voice)
        return true
    }

    /// Stops, and keeps the current time.
    open func pause() { voice.isPlaying = false }

    /// Stops, and keeps the current time.
    open func stop() { voice.isPlaying = false }

    /// Indicates that the sound is being played.
    open var isPlaying: Bool { voice.isPlaying }

    // MARK: Properties

    /// The receiver of the end.
    open weak var delegate: (any AVAudioPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            // Released outside of the lock.
            let former = state.withLock { state in
                defer { state.delegate = newValue }
                return state.delegate
            }
            _ = former
        }
    }

    /// The duration in seconds.
    open var duration: TimeInterval { TimeInterval(voice.length) / Self.samplesPerSecond }

    /// The position in seconds; 0 after the end.
    open var currentTime: TimeInterval {
        get { TimeInterval(voice.position) / Self.samplesPerSecond }
        set {
            let samples = newValue * Self.samplesPerSecond
            voice.position = samples.isFinite ? Int(min(max(0, samples), TimeInterval(voice.length))) : 0
        }
    }

    /// The loudness, 0 to 1.
    open var volume: Float {
        get { voice.volume }
        set { voice.volume = newValue }
    }

    /// Changes the loudness evenly.
    ///
    /// - Parameters:
    ///   - volume: The loudness at the end, 0 to 1.
    ///   - duration: The time in seconds.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        let samples = duration * Self.samplesPerSecond
        voice.fade(to: volume, samples: samples.isFinite ? Int(min(max(0, samples), 1e12)) : 0)
    }

    /// The number of repetitions after the first time; negative: without an end.
    open var numberOfLoops: Int {
        get { state.withLock { $0.numberOfLoops } }
        set {
            state.withLock { $0.numberOfLoops = newValue }
            voice.repetitions = newValue
        }
    }

    private func finish() {
        delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    }

    // MARK: Errors

    private static func error(_ code: Int, _ sentence: String) -> NSError {
        NSError(domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: sentence])
    }

    private static let samplesPerSecond = TimeInterval(AudioFormat.samplesPerSecond)
    /// `kAudioFileUnspecifiedError`, `wht?`: also of a file that is not there.
    private static let unspecifiedError = 0x7768_743F
    /// `kAudioFileUnsupportedFileTypeError`, `typ?`.
    private static let unsupportedFileTypeError = 0x7479_703F
    /// `kAudioFileInvalidFileError`, `dta?`.
    private static let invalidFileError = 0x6474_613F
}

/// The receiver of a player's end.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound has been played to its end, with all repetitions.
    ///
    /// - Parameters:
    ///   - player: The player.
    ///   - flag: True if it could be decoded.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The sound could not be decoded while it was played; does not occur, since it is decoded before.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Does nothing.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    /// Does nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
