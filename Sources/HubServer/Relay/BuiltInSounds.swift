import HubMedia

/// The sounds of the built-in parties, encoded once a process.
struct BuiltInSounds: Sendable {
    let tone: PreparedAudio
    let music: PreparedAudio

    /// What all hubs of a process play; encoding takes a fraction of a second.
    static let shared = Result { () throws(MediaError) in
        BuiltInSounds(tone: try .tone(), music: try .holdMusic())
    }
}
