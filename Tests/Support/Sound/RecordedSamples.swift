import HubMedia

/// Reads a recording.
///
/// - Parameter path: The path of a WAV or Ogg Opus file.
/// - Returns: The samples, those of an Ogg Opus file as a decoder hears them.
/// - Throws: An error if it is none.
public func recordedSamples(at path: String) throws -> [Int16] {
    let source = try openAudioSource(path, decoding: true)
    var samples: [Int16] = []
    while let frame = try source.nextFrame() {
        if case .samples(let piece) = frame { samples += piece }
    }
    return samples
}
