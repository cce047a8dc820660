import HubMedia

/// The sounds of the built-in parties, encoded once per process.
struct BuiltInSounds: Sendable {
    let tone: PreEncodedAudio
    let music: PreEncodedAudio

    /// The sounds for all hubs of a process; encoding takes a fraction of a second.
    static let shared = Result { () throws(MediaError) in
        BuiltInSounds(tone: try .tone(), music: try .holdMusic())
    }
}
