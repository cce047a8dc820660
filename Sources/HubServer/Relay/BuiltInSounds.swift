import HubMedia

/// The sounds of the built-in parties, encoded once per process.
struct BuiltInSounds: Sendable {
    let tone: PreparedAudio
    let music: PreparedAudio

    /// The sounds for all hubs of a process; encoding takes a fraction of a second.
    static let shared = Result { () throws(MediaError) in
        BuiltInSounds(tone: try .tone(), music: try .holdMusic())
    }
}
