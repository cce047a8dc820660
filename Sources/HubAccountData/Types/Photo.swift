/// A small image of a person: JPEG, PNG or WebP data.
public struct Photo: Hashable, Sendable {
    /// The image data.
    public let bytes: [UInt8]

    /// The maximum size in bytes.
    ///
    /// More: sharper photos; fewer of them in the limit of an account, and longer messages.
    public static let maximumBytes = 12_288

    /// Creates a photo; nil if the data is too large or begins like none of the formats.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes, Self.isImage(bytes) else { return nil }
        self.bytes = bytes
    }

    /// Indicates that the image has at most ``maximumSide`` pixels in each direction, so that others may be shown it.
    public var isSmall: Bool { ImageSize(bytes)?.isSmall ?? false }

    /// The maximum width and height of a photo that others are shown, in pixels.
    public static var maximumSide: Int { ImageSize.maximumSide }

    private static func isImage(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            || (bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8))
    }
}

/// A change of a contact's photo by `contacts.put`.
public enum PhotoChange: Hashable, Sendable {
    /// The photo stays, if there is one.
    case keep
    /// The photo is removed.
    case remove
    /// The photo is replaced, or added.
    case replace(Photo)
}

extension PhotoChange {
    /// Returns the photo after the change.
    func applied(to photo: StoredPhoto?) -> StoredPhoto? {
        switch self {
        case .keep: photo
        case .remove: nil
        case .replace(let new): .inMemory(new.bytes)
        }
    }
}

/// A photo of an account's contact or user, in memory or in a store.
public enum StoredPhoto: Hashable, Sendable {
    /// A photo in memory, of a hub without a store.
    case inMemory([UInt8])
    /// A photo in a store, which is read when a client requests it.
    case inStore(byteCount: Int)

    /// The size in bytes.
    public var byteCount: Int {
        switch self {
        case .inMemory(let bytes): bytes.count
        case .inStore(let byteCount): byteCount
        }
    }

    /// The photo when a store has it.
    var inStore: StoredPhoto { .inStore(byteCount: byteCount) }

    /// The image data; nil if the photo is in a store.
    public var bytes: [UInt8]? {
        if case .inMemory(let bytes) = self { bytes } else { nil }
    }
}
