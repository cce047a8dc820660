public import FoundationEssentials
import HubEngine

/// All stored data of an account, for its owner: as JSON by `json`.
public struct AccountExport: Codable, Hashable, Sendable {
    /// A handle of the account or of another party.
    public struct HandleExport: Codable, Hashable, Sendable {
        /// `generic`, `phoneNumber` or `emailAddress`.
        public var type: String
        /// The name, number or address.
        public var value: String
    }

    /// The account's settings.
    public struct SettingsExport: Codable, Hashable, Sendable {
        /// Indicates that calls do not ring (`AccountSettings`).
        public var doNotDisturb: Bool
        /// The weekly times during which calls do not ring.
        public var quietHours: [QuietHoursExport]
        /// The date before which the quiet hours do not apply; nil: none.
        public var quietHoursSkippedUntil: Date?
        /// The time zone of the quiet hours.
        public var timeZone: String
        /// The identifiers of the devices that do not ring.
        public var quietDevices: [String]
        /// The name that other parties are shown.
        public var displayName: String
        /// Indicates that the other members of groups are shown who the user is.
        public var isNamedInGroups: Bool
        /// Indicates that others may find the account; nil: its user has not decided.
        public var isListed: Bool?
        /// Indicates that transfers may connect the user with strangers.
        public var acceptsTransferredStrangers: Bool
        /// The sound for parties on hold: "hub", "silence", "tone" or "music".
        public var holdAudio: String
        /// The user's photo in base64; nil: none.
        public var photo: String?
    }

    /// A passkey, without its key.
    public struct PasskeyExport: Codable, Hashable, Sendable {
        /// The host name of the hub that it is for.
        public var site: String
        /// The name that the user has given.
        public var name: String
        /// The time of the registration.
        public var createdAt: Date
        /// The time of the last sign-in by it; nil: none.
        public var lastUsedAt: Date?
    }

    /// A weekly period during which calls do not ring.
    public struct QuietHoursExport: Codable, Hashable, Sendable {
        /// The weekdays on which the period begins.
        public var days: [String]
        /// The begin in minutes after midnight.
        public var from: Int
        /// The end in minutes after midnight.
        public var to: Int
    }

    /// A rule of the block list: a handle, a prefix of numbers, or an invitation.
    public struct BlockExport: Codable, Hashable, Sendable {
        /// The blocked handle.
        public var handle: HandleExport?
        /// The first digits of the blocked numbers.
        public var prefix: String?
        /// The identifier of the blocked invitation.
        public var link: String?
    }

    /// A contact of the account.
    public struct ContactExport: Codable, Hashable, Sendable {
        /// The contact's identifier.
        public var identifier: String
        /// The contact's name.
        public var name: String
        /// The contact's handles.
        public var handles: [HandleExport]
        /// Indicates a favourite.
        public var isFavorite: Bool
        /// Indicates that the contact's calls ring despite Do Not Disturb.
        public var breaksThroughDoNotDisturb: Bool
        /// The name of the ringtone that the contact's calls play; nil: the user's own choice.
        public var ringtone: String?
        /// The contact's photo in base64; nil: none.
        public var photo: String?
    }

    /// An entry of Recents.
    public struct CallExport: Codable, Hashable, Sendable {
        /// The other party's handle.
        public var handle: HandleExport
        /// The other party's name.
        public var name: String
        /// Indicates that the account placed the call.
        public var isOutgoing: Bool
        /// The outcome of the call (`RecentCall`).
        public var outcome: String
        /// Indicates that the call did not ring because of Do Not Disturb.
        public var isSilenced: Bool
        /// The devices of the account that connected or declined the call.
        public var devices: [String]
        /// The time when the call set-up began, or the first device rang.
        public var startedAt: Date
        /// The time at which the call connected; nil: it did not.
        public var connectedAt: Date?
        /// The time at which the call ended.
        public var endedAt: Date
        /// Indicates that the user has seen the entry.
        public var isSeen: Bool
        /// The identifier of the invitation that the caller used; nil: none.
        public var link: String?
        /// The name of that invitation, where the caller has given a name of their own; nil: none.
        public var linkName: String?
        /// The number of calls in the entry.
        public var count: Int
        /// Indicates a video call.
        public var hasVideo: Bool
        /// The name of the provider that the call was of; nil: it had none.
        public var provider: String?
        /// Indicates that the other party is unknown.
        public var isUnknown: Bool
    }

    /// A call directory of the account.
    public struct DirectoryExport: Codable, Hashable, Sendable {
        /// A telephone number and its name.
        public struct Label: Codable, Hashable, Sendable {
            /// The number with its country code.
            public var number: Int64
            /// The name that is shown for the number.
            public var label: String
        }

        /// The call directory's identifier.
        public var identifier: String
        /// Indicates that the directory's entries are used.
        public var isEnabled: Bool
        /// The time of the last load; nil: never.
        public var loadedAt: Date?
        /// The title that is shown in front of its labels; nil: none.
        public var title: String?
        /// The blocked numbers.
        public var blocking: [Int64]
        /// The numbers with names.
        public var identification: [Label]
    }

    /// A device's push subscription without its keys, which only the hub can use.
    public struct SubscriptionExport: Codable, Hashable, Sendable {
        /// The device's identifier.
        public var device: String
        /// The push service's URL.
        public var endpoint: String
        /// The time of the subscription.
        public var createdAt: Date
        /// The time of the last push message; nil: never.
        public var lastUsedAt: Date?
    }

    /// An invitation to one of the account's handles.
    public struct InvitationExport: Codable, Hashable, Sendable {
        /// The invitation's identifier.
        public var id: String
        /// The handle that the invitation calls; nil: unknown.
        public var callee: HandleExport?
        /// The name that the callee is shown for the guest.
        public var name: String?
        /// Indicates that the callee is shown the name that each guest gives.
        public var guestsGiveNames: Bool
        /// The time at which the invitation was created.
        public var createdAt: Date
        /// The time at which the invitation expires.
        public var expiresAt: Date
        /// The time at which the invitation was revoked; nil: it was not.
        public var revokedAt: Date?
    }

    /// A user of an OpenID provider by whose sign-in the account is used.
    public struct IdentityExport: Codable, Hashable, Sendable {
        /// The provider's issuer.
        public var issuer: String
        /// The provider's identifier of the user.
        public var subject: String
        /// The time at which it was linked to the account.
        public var linkedAt: Date
    }

    /// The account's name.
    public var account: String
    /// The account's handles.
    public var handles: [HandleExport]
    /// The name in the directory of the house, as the operator or a token gives it; nil: none.
    public var personName: String?
    /// The department in the directory of the house; nil: none.
    public var department: String?
    /// Indicates that the account has a password; its hash is not exported.
    public var hasPassword: Bool
    /// The passkeys of the account, the oldest first.
    public var passkeys: [PasskeyExport]
    /// Indicates that the account may administer the hub.
    public var isAdmin: Bool
    /// Indicates that the account may not sign in.
    public var isDisabled: Bool
    /// The time at which an operator created the account; nil: none did.
    public var createdAt: Date?
    /// The time at which data of the account was first stored; nil: never.
    public var firstSeenAt: Date?
    /// The time of the account's last sign-in; nil: never.
    public var lastSeenAt: Date?
    /// The account's settings.
    public var settings: SettingsExport
    /// The account's block list.
    public var blocked: [BlockExport]
    /// The account's contacts.
    public var contacts: [ContactExport]
    /// The entries of Recents, the oldest first.
    public var recents: [CallExport]
    /// The account's call directories.
    public var directories: [DirectoryExport]
    /// The push subscriptions of the account's devices.
    public var subscriptions: [SubscriptionExport]

    /// The invitations to the account's handles, without their tokens.
    public var links: [InvitationExport]
    /// The identities of OpenID providers that are linked to the account.
    public var identities: [IdentityExport] = []

    /// The export as JSON, for people and for programs.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        // Strings, numbers and dates can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
