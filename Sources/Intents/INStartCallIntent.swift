public import Foundation

/// Something that the user wants from an app, outside of it.
open class INIntent: NSObject, @unchecked Sendable {
    /// The identifier of the intent; nil: none.
    public let identifier: String? = nil

    /// Creates an intent.
    public override init() {}
}

/// The kinds of calls that an intent may want.
public enum INCallCapability: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// A call with sound.
    case audioCall = 1
    /// A call with video.
    case videoCall = 2
}

/// The destinations of a call that an intent may want.
public enum INCallDestinationType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// A person.
    case normal = 1
    /// An emergency service.
    case emergency = 2
    /// The voice mail.
    case voicemail = 3
    /// The number that was called last.
    case redial = 4
    /// The caller of the last call.
    case callBack = 5
}

/// The outputs of sound that an intent may want.
public enum INCallAudioRoute: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The speaker.
    case speakerphoneAudioRoute = 1
    /// A Bluetooth device.
    case bluetoothAudioRoute = 2
}

/// The kinds of calls in Recents.
public enum INCallRecordType: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// A call that the user has placed.
    case outgoing = 1
    /// A call that was missed.
    case missed = 2
    /// A call that was answered.
    case received = 3
    /// The latest call.
    case latest = 4
    /// A message of the voice mail.
    case voicemail = 5
    /// A call that rings.
    case ringing = 6
    /// A call in progress.
    case inProgress = 7
    /// A call on hold.
    case onHold = 8
}

/// The wish to call somebody, from Recents, a contact or elsewhere outside of the app.
open class INStartCallIntent: INIntent, @unchecked Sendable {
    /// The people to call; nil: unknown.
    public let contacts: [INPerson]?
    /// The kind of the call.
    public let callCapability: INCallCapability
    /// The destination of the call.
    public let destinationType: INCallDestinationType
    /// The output of sound.
    public let audioRoute: INCallAudioRoute
    /// The kind of call in Recents to repeat.
    public let recordTypeForRedialing: INCallRecordType

    /// Creates an intent.
    ///
    /// - Parameters:
    ///   - audioRoute: The output of sound.
    ///   - destinationType: The destination of the call.
    ///   - contacts: The people to call; nil: unknown.
    ///   - recordTypeForRedialing: The kind of call in Recents to repeat.
    ///   - callCapability: The kind of the call.
    public init(
        audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType,
        contacts: [INPerson]?,
        recordTypeForRedialing: INCallRecordType,
        callCapability: INCallCapability
    ) {
        self.audioRoute = audioRoute
        self.destinationType = destinationType
        self.contacts = contacts
        self.recordTypeForRedialing = recordTypeForRedialing
        self.callCapability = callCapability
    }
}

/// The wish for a call with sound, of systems before iOS 13.
open class INStartAudioCallIntent: INIntent, @unchecked Sendable {
    /// The destination of the call.
    public let destinationType: INCallDestinationType
    /// The people to call; nil: unknown.
    public let contacts: [INPerson]?

    /// Creates an intent.
    ///
    /// - Parameters:
    ///   - destinationType: The destination of the call.
    ///   - contacts: The people to call; nil: unknown.
    public init(destinationType: INCallDestinationType = .normal, contacts: [INPerson]?) {
        (self.destinationType, self.contacts) = (destinationType, contacts)
    }
}

/// The wish for a call with video, of systems before iOS 13.
open class INStartVideoCallIntent: INIntent, @unchecked Sendable {
    /// The people to call; nil: unknown.
    public let contacts: [INPerson]?

    /// Creates an intent.
    ///
    /// - Parameter contacts: The people to call; nil: unknown.
    public init(contacts: [INPerson]?) {
        self.contacts = contacts
    }
}

/// The type of the activity of an ``INStartAudioCallIntent``.
public let INStartAudioCallIntentIdentifier = "INStartAudioCallIntent"
/// The type of the activity of an ``INStartVideoCallIntent``.
public let INStartVideoCallIntentIdentifier = "INStartVideoCallIntent"
