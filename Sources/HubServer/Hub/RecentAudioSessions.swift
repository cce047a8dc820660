import HubEngine

/// The last audio sessions of a client session, by SSRC: a relay's report may come when the next one has begun.
struct RecentAudioSessions {
    private var newestFirst: [(ssrc: UInt32, id: AudioSessionUUID)] = []

    /// Adds one that begins.
    mutating func note(_ audio: AudioSession) {
        if newestFirst.count == Self.capacity { newestFirst.removeLast() }
        newestFirst.insert((audio.ssrc, audio.id), at: 0)
    }

    /// The identifier of an audio session; nil: it is none of the last.
    func id(ofSSRC ssrc: UInt32) -> AudioSessionUUID? {
        newestFirst.first { $0.ssrc == ssrc }?.id
    }

    /// More: reports of other loops may come later; more memory a session.
    private static let capacity = 4
}
