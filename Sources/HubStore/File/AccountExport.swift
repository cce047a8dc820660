public import FoundationEssentials
import HubEngine

/// Everything that is kept of an account, for whom it belongs to: as JSON by `json`.
public struct AccountExport: Codable, Hashable, Sendable {
    /// A handle.
    public struct HandleExport: Codable, Hashable, Sendable {
        /// `generic`, `phoneNumber` or `emailAddress`.
        public var type: String
        /// The address.
        public var value: String
    }

    /// The settings.
    public struct SettingsExport: Codable, Hashable, Sendable {
        /// See `AccountSettings`.
        public var doNotDisturb: Bool
        /// See `AccountSettings`.
        public var quietHours: [QuietHoursExport]
        /// See `AccountSettings`.
        public var timeZone: String
        /// See `AccountSettings`.
        public var quietDevices: [String]
        /// See `AccountSettings`.
        public var displayName: String
    }

    /// Quiet hours.
    public struct QuietHoursExport: Codable, Hashable, Sendable {
        /// The days on which they begin.
        public var days: [String]
        /// Minutes after midnight.
        public var from: Int
        /// Minutes after midnight.
        public var to: Int
    }

    /// A rule of the block list: a handle, how numbers begin, or a link.
    public struct BlockExport: Codable, Hashable, Sendable {
        /// The handle.
        public var handle: HandleExport?
        /// The first digits.
        public var prefix: String?
        /// The link's identifier.
        public var link: String?
    }

    /// A contact.
    public struct ContactExport: Codable, Hashable, Sendable {
        /// See `Contact`.
        public var identifier: String
        /// See `Contact`.
        public var name: String
        /// See `Contact`.
        public var handles: [HandleExport]
        /// See `Contact`.
        public var isFavorite: Bool
        /// See `Contact`.
        public var breaksThroughDoNotDisturb: Bool
    }

    /// A call.
    public struct CallExport: Codable, Hashable, Sendable {
        /// See `RecentCall`.
        public var handle: HandleExport
        /// See `RecentCall`.
        public var name: String
        /// See `RecentCall`.
        public var isOutgoing: Bool
        /// See `RecentCall`.
        public var outcome: String
        /// See `RecentCall`.
        public var isSilenced: Bool
        /// See `RecentCall`.
        public var devices: [String]
        /// See `RecentCall`.
        public var startedAt: Date
        /// See `RecentCall`.
        public var connectedAt: Date?
        /// See `RecentCall`.
        public var endedAt: Date
        /// See `RecentEntry`.
        public var isSeen: Bool
        /// See `RecentCall`.
        public var link: String?
        /// See `RecentEntry`.
        public var count: Int
    }

    /// A call directory extension.
    public struct DirectoryExport: Codable, Hashable, Sendable {
        /// A number and its name.
        public struct Label: Codable, Hashable, Sendable {
            /// The number.
            public var number: Int64
            /// The name.
            public var label: String
        }

        /// The extension's own name.
        public var identifier: String
        /// Whether its entries are used.
        public var isEnabled: Bool
        /// When it was loaded last.
        public var loadedAt: Date?
        /// The numbers that are blocked.
        public var blocking: [Int64]
        /// The numbers with names.
        public var identification: [Label]
    }

    /// Where a device is woken up; its keys are of use to nobody but the hub, and left out.
    public struct SubscriptionExport: Codable, Hashable, Sendable {
        /// The device.
        public var device: String
        /// The push service's URL.
        public var endpoint: String
        /// When it was subscribed.
        public var createdAt: Date
        /// When something was last sent there.
        public var lastUsedAt: Date?
    }

    /// A call link to one of the account's handles.
    public struct LinkExport: Codable, Hashable, Sendable {
        /// See `StoredLink`.
        public var id: String
        /// See `StoredLink`.
        public var callee: HandleExport?
        /// See `StoredLink`.
        public var name: String?
        /// See `StoredLink`.
        public var createdAt: Date
        /// See `StoredLink`.
        public var expiresAt: Date
        /// See `StoredLink`.
        public var revokedAt: Date?
    }

    /// The account's name.
    public var account: String
    /// Its handles.
    public var handles: [HandleExport]
    /// Whether it has a password; what it is known by is not told.
    public var hasPassword: Bool
    /// Whether it is an operator's.
    public var isAdmin: Bool
    /// Whether it may not sign in.
    public var isDisabled: Bool
    /// When it was made.
    public var createdAt: Date?
    /// When something was first kept of it; nil: it was never here.
    public var firstSeenAt: Date?
    /// When it was last here; nil: it never was.
    public var lastSeenAt: Date?
    /// The settings.
    public var settings: SettingsExport
    /// The block list.
    public var blocked: [BlockExport]
    /// The contacts.
    public var contacts: [ContactExport]
    /// Recents, the oldest first.
    public var recents: [CallExport]
    /// The call directories.
    public var directories: [DirectoryExport]
    /// Where its devices are woken up.
    public var subscriptions: [SubscriptionExport]

    /// The call links to its handles, without their tokens.
    public var links: [LinkExport]

    /// All of it as JSON, for people and for programs.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        // Texts, numbers and dates can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
