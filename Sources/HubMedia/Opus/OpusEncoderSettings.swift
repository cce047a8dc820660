/// What an encoder is made with; the defaults are those of a native client on a good link.
public struct OpusEncoderSettings: Sendable, Equatable {
    /// What the encoder tunes for.
    public enum Application: Sendable {
        /// Speech: clear words at low rates.
        case voice
        /// Music and mixtures: faithful sound.
        case audio
    }

    /// The length of each packet; longer ones save headers and cost delay.
    public enum FrameDuration: Int, Sendable, CaseIterable {
        /// 10 ms, for local networks and music.
        case milliseconds10 = 10
        /// 20 ms, the default everywhere.
        case milliseconds20 = 20
        /// 40 ms, for a congested uplink.
        case milliseconds40 = 40
        /// 60 ms, the last step: each drop costs 60 ms.
        case milliseconds60 = 60

        /// The length in samples at 48 kHz: 480, 960, 1920 or 2880.
        public var samples: Int { rawValue * 48 }

        /// Finds the duration that lasts exactly so many samples.
        ///
        /// - Parameter samples: Samples at 48 kHz.
        public init?(samples: Int) {
            guard samples % 48 == 0 else { return nil }
            self.init(rawValue: samples / 48)
        }
    }

    /// What the encoder tunes for.
    public var application = Application.voice

    /// Bits a second, 6,000 to 510,000.
    ///
    /// Higher sounds better and needs more of the uplink; speech gains little over 32,000.
    public var bitsPerSecond = 24_000

    /// Work per frame, 0 to 10.
    ///
    /// Higher sounds better and takes more time: 105 µs at 5, 193 µs at 10 for 20 ms of speech.
    public var complexity = 10

    /// The length of each packet.
    public var frameDuration = FrameDuration.milliseconds20

    /// Whether silence becomes packets of one or two bytes, which need not be sent (RFC 6716 section 2.1.9).
    public var usesDiscontinuousTransmission = false

    /// The losses to expect in per cent, 0 to 100; above 0 each packet carries a coarse copy of the one before.
    public var expectedLossPercent = 0

    /// Makes the default settings: speech, 24 kb/s, 20 ms, complexity 10, neither DTX nor FEC.
    public init() {}
}
