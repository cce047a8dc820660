/// The settings of an encoder; the defaults are those of a native client on a good network.
public struct OpusEncoderSettings: Sendable, Equatable {
    /// The kinds of audio that an encoder can be optimised for.
    public enum Application: Sendable {
        /// Speech: intelligible at low rates.
        case voice
        /// Music and mixed content: faithful to the input.
        case audio
        /// Any content with a delay of 2.5 ms rather than 6.5 ms; transform coding alone, for 32 kb/s and more.
        case lowDelay
    }

    /// The duration of each packet; longer: less overhead for headers, more delay.
    public enum FrameDuration: Int, Sendable, CaseIterable {
        /// 10 ms, for local networks and music.
        case milliseconds10 = 10
        /// 20 ms, the default everywhere.
        case milliseconds20 = 20
        /// 40 ms, for a congested uplink.
        case milliseconds40 = 40
        /// 60 ms, the last step: each drop costs 60 ms.
        case milliseconds60 = 60

        /// The duration in samples at 48 kHz: 480, 960, 1920 or 2880.
        public var samples: Int { rawValue * 48 }

        /// Creates the duration of exactly some number of samples; nil if there is none.
        ///
        /// - Parameter samples: The duration in samples at 48 kHz.
        public init?(samples: Int) {
            guard samples % 48 == 0 else { return nil }
            self.init(rawValue: samples / 48)
        }
    }

    /// The kind of audio to optimise for.
    public var application = Application.voice

    /// The bit rate in bits per second, 6,000 to 510,000.
    ///
    /// Higher: better audio, more of the uplink; speech gains little over 32,000.
    public var bitsPerSecond = 24_000

    /// The encoder's complexity, 0 to 10.
    ///
    /// Higher: better audio, more time: 105 µs at 5, 193 µs at 10 for 20 ms of speech.
    public var complexity = 10

    /// The duration of each packet.
    public var frameDuration = FrameDuration.milliseconds20

    /// True to encode silence as packets of one or two bytes, which need not be sent (RFC 6716 section 2.1.9).
    public var usesDiscontinuousTransmission = false

    /// The expected loss in per cent, 0 to 100; above 0 each packet carries a coarse copy of the one before.
    public var expectedLossPercent = 0

    /// Creates the default settings: speech, 24 kb/s, 20 ms, complexity 10, neither DTX nor FEC.
    public init() {}
}
