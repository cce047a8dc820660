public import Foundation

/// The answer of an app to an intent.
open class INIntentResponse: NSObject, @unchecked Sendable {
    /// Creates an answer.
    public override init() {}
}

/// The directions of an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// Not known.
    case unspecified = 0
    /// From the user.
    case outgoing = 1
    /// To the user.
    case incoming = 2
}

/// An intent and the app's answer to it.
open class INInteraction: NSObject, @unchecked Sendable {
    /// The intent.
    public let intent: INIntent
    /// The answer; nil: none yet.
    public let intentResponse: INIntentResponse?
    /// The direction.
    open var direction = INInteractionDirection.unspecified
    /// The identifier of the interaction.
    open var identifier = UUID().uuidString

    /// Creates an interaction.
    ///
    /// - Parameters:
    ///   - intent: The intent.
    ///   - response: The answer; nil: none yet.
    public init(intent: INIntent, response: INIntentResponse?) {
        (self.intent, intentResponse) = (intent, response)
    }

    /// Gives the interaction to the system, which has no use for it here.
    ///
    /// - Parameter completion: The receiver of nil.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
}

/// Something that the user does, which an app continues; Foundation has it on Apple's systems.
open class NSUserActivity: NSObject, @unchecked Sendable {
    /// The type of the activity: for a call the name of the intent's class.
    public let activityType: String
    /// The title to show; nil: none.
    open var title: String?
    /// The state of the activity; nil: none.
    open var userInfo: [AnyHashable: Any]?
    /// The address of a web page for the activity; nil: none.
    open var webpageURL: URL?
    /// The intent that has led to the activity; nil: none.
    public let interaction: INInteraction?

    /// Creates an activity.
    ///
    /// - Parameter activityType: The type of the activity.
    public init(activityType: String) {
        (self.activityType, interaction) = (activityType, nil)
    }

    /// Creates the activity of an interaction.
    init(interaction: INInteraction) {
        (activityType, self.interaction) = ("\(type(of: interaction.intent))", interaction)
    }
}
