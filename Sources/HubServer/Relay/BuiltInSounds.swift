package import HubMedia

/// The sounds of the built-in parties, and those for parties on hold, encoded once per process.
package struct BuiltInSounds: Sendable {
    let tone: PreEncodedAudio
    let music: PreEncodedAudio
    /// The tone for parties on hold.
    let holdTone: PreEncodedAudio

    /// The sounds for all hubs of a process; encoding takes a fraction of a second.
    package static let shared = Result { () throws(MediaError) in
        BuiltInSounds(tone: try .tone(), music: try .holdMusic(), holdTone: try .holdTone())
    }
}
