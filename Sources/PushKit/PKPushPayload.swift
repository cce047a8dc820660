public import Foundation

/// The kinds of pushes.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Pushes of incoming calls.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// Pushes for complications of a watch, which never come here.
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// Pushes for file providers, which never come here.
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")
}

/// The address of a device for pushes of a kind.
open class PKPushCredentials: NSObject, @unchecked Sendable {
    /// The kind of the pushes.
    public let type: PKPushType
    /// The token that names the device.
    public let token: Data

    /// Creates credentials.
    init(_ type: PKPushType, token: Data) {
        (self.type, self.token) = (type, token)
    }
}

/// The content of a push.
open class PKPushPayload: NSObject, @unchecked Sendable {
    /// The kind of the push.
    public let type: PKPushType
    /// The values of the push.
    ///
    /// Of a call: `UUID` and `uuid`, `handle` and `identifier`, `callerName` and `hasVideo`.
    public let dictionaryPayload: [AnyHashable: Any]

    /// Creates a payload.
    init(_ type: PKPushType, _ dictionaryPayload: [AnyHashable: Any]) {
        (self.type, self.dictionaryPayload) = (type, dictionaryPayload)
    }
}

/// Metadata of the push of a call.
open class PKVoIPPushMetadata: NSObject, @unchecked Sendable {
    /// Indicates that the app must report a call for the push.
    ///
    /// It is always so here: a push comes while the call rings.
    public let mustReport: Bool

    /// Creates metadata.
    init(mustReport: Bool) {
        self.mustReport = mustReport
    }
}
