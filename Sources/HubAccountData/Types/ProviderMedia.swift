/// The icon of a provider: PNG data, of which the alpha channel is a mask.
public struct ProviderIcon: Hashable, Sendable {
    /// The PNG data.
    public let bytes: [UInt8]

    /// The maximum size in bytes.
    ///
    /// More: no use for a mask of 40 by 40 points; more memory of the hub, and longer messages.
    public static let maximumBytes = 12_288

    /// The maximum width and height in pixels.
    public static var maximumSide: Int { ImageSize.maximumSide }

    /// Creates an icon; nil if the data is too large, is no PNG image, or has no pixels or too many.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes,
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            ImageSize(bytes)?.isSmall == true
        else { return nil }
        self.bytes = bytes
    }
}

/// The sound of a provider's ringtone: an Ogg Opus or WAV file.
public struct ProviderRingtone: Hashable, Sendable {
    /// The file.
    public let bytes: [UInt8]

    /// The maximum size in bytes.
    ///
    /// More: longer sounds; in base64 they would exceed `limits.maximumMessageBytes`.
    public static let maximumBytes = 40_960

    /// Creates a sound; nil if the data is too large or begins like no Ogg Opus or WAV file.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes, Self.isOggOpus(bytes) || Self.isWAV(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Indicates that the first page of an Ogg file has one packet, the head of an Opus stream (RFC 7845).
    private static func isOggOpus(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "OggS".utf8) && bytes.dropFirst(28).starts(with: "OpusHead".utf8)
    }

    private static func isWAV(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WAVEfmt ".utf8)
    }
}

/// A change of a provider's icon or ringtone.
public enum ProviderMediaChange<Media: Hashable & Sendable>: Hashable, Sendable {
    /// It stays, if there is one.
    case keep
    /// It is removed.
    case remove
    /// It is replaced, or added.
    case replace(Media)
}
