/// The settings of a mixer.
package struct MixerSettings: Sendable, Equatable {
    /// The level in decibels below the overload point from which a source is silent; lower: soft speech is cut off.
    package var silentFrom: UInt8 = 60
    /// The bit rate of a mix in bits per second; less: audible artefacts, since the encoder has the least delay.
    package var bitsPerSecond = 48_000

    /// Creates the default settings.
    package init() {}
}

/// The work that a mixer does, from all of it to the least with which everybody is still heard.
///
/// A mixer that falls behind its schedule goes one step down at a time (``MixerPace``).
package enum MixerEffort: Int, Sendable, CaseIterable, Comparable {
    /// All speakers, in packets of 20 ms.
    case full
    /// The eight loudest speakers of all that a listener hears.
    case eightSpeakers
    /// The three loudest speakers.
    case threeSpeakers
    /// The three loudest speakers, in packets of 40 ms.
    case longPackets
    /// The three loudest speakers, in packets of 60 ms.
    case longestPackets

    /// The maximum number of speakers in a mix.
    var maximumSpeakers: Int {
        switch self {
        case .full: .max
        case .eightSpeakers: 8
        case .threeSpeakers, .longPackets, .longestPackets: 3
        }
    }

    /// The frames of 20 ms in a packet.
    var framesPerPacket: Int {
        switch self {
        case .full, .eightSpeakers, .threeSpeakers: 1
        case .longPackets: 2
        case .longestPackets: 3
        }
    }

    /// The complexity of the encoders, 0 to 10.
    var complexity: Int { self == .full ? 5 : 0 }

    package static func < (left: MixerEffort, right: MixerEffort) -> Bool { left.rawValue < right.rawValue }
}
