import Foundation
import HubAccountData
import HubMedia

/// A ringtone's file beside an app, and its sound as a hub takes it.
struct RingtoneFile: Sendable {
    /// The reason why a file is no ringtone.
    struct Fault: Error {
        let message: String
    }

    let path: String

    /// Finds a file; nil: there is none of that name.
    ///
    /// A sound in a form that only Apple's systems know, such as CAF, may have a copy beside it that is named alike and
    /// ends in wav, ogg or opus.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - folder: The folder to look in; nil: those of the program and its bundles.
    init?(_ name: String, in folder: String?) {
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let stem = (name as NSString).deletingPathExtension
        let isKnown = Self.extensions.contains((name as NSString).pathExtension.lowercased())
        let names = isKnown ? [name] : Self.extensions.map { "\(stem).\($0)" }
        let paths = (folder.map { [$0] } ?? Self.folders).flatMap { folder in names.map { "\(folder)/\($0)" } }
        guard let path = paths.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else { return nil }
        self.path = path
    }

    private static let extensions = ["wav", "ogg", "opus"]

    /// The folders of the program, its bundle, and the resource bundles of its packages.
    private static var folders: [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent().path
        let own = [Bundle.main.resourcePath, Bundle.main.bundlePath, program].compactMap(\.self)
        let bundles = own.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .filter { $0.hasSuffix(".resources") }.map { "\(folder)/\($0)" }
        }
        return own + bundles
    }

    /// Returns the sound: the file itself if it is small enough, else its first seconds, encoded anew.
    ///
    /// - Throws: `Fault` if the file cannot be read, or is neither WAV nor Ogg Opus.
    func load() throws(Fault) -> ProviderRingtone {
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int,
            size <= Self.maximumFileBytes, let content = FileManager.default.contents(atPath: path)
        else { throw Fault(message: "\(path) cannot be read, or has more than \(Self.maximumFileBytes) bytes") }
        if let ringtone = ProviderRingtone([UInt8](content)) { return ringtone }
        do {
            let sound = try content.withUnsafeBytes { bytes throws(MediaError) in
                try DecodedSound(bytes, name: path)
            }
            let encoded = try Self.encode(sound.samples)
            if let ringtone = ProviderRingtone(encoded) { return ringtone }
            throw Fault(message: "\(path) has no sound of a ringtone's length")
        } catch let fault as MediaError {
            throw Fault(message: fault.message)
        } catch {
            throw error as? Fault ?? Fault(message: "\(path): \(error.localizedDescription)")
        }
    }

    /// Encodes the first seconds of a sound as an Ogg Opus file of at most the size of a ringtone.
    private static func encode(_ samples: [Int16]) throws -> [UInt8] {
        let samples = samples.prefix(maximumSeconds * AudioFormat.samplesPerSecond)
        let seconds = max(Double(samples.count) / Double(AudioFormat.samplesPerSecond), 1)
        var settings = OpusEncoderSettings()
        settings.application = .audio
        settings.frameDuration = .milliseconds60
        // A tenth is left for the file's own heads, which take two bytes a packet.
        let bits = Double(ProviderRingtone.maximumBytes * 8) * 0.9 / seconds
        settings.bitsPerSecond = min(48_000, Int(bits))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).opus").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var encoder = try OpusEncoder(settings)
        let writer = try OggOpusWriter(path: file)
        let length = settings.frameDuration.samples
        for start in stride(from: 0, to: samples.count, by: length) {
            var frame = Array(samples[start..<min(start + length, samples.count)])
            frame += Array(repeating: 0, count: length - frame.count)
            let packet = try encoder.encode(frame)
            try packet.withUnsafeBytes { _ = try writer.append($0) }
        }
        try writer.close(trimmingSamples: (length - samples.count % length) % length)
        return [UInt8](FileManager.default.contents(atPath: file) ?? Data())
    }

    /// The maximum length of a ringtone's sound in seconds; it is repeated while the call rings.
    ///
    /// Longer: later repetitions; the sound is poorer, as its size is limited.
    private static let maximumSeconds = 15

    /// The maximum size of a file that is read, in bytes.
    ///
    /// More: longer sounds, of which only the first seconds are used; more memory while they are decoded.
    private static let maximumFileBytes = 16_777_216
}
