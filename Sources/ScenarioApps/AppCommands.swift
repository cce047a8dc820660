public import CallKit
import Foundation

/// The commands of an app for a scenario's steps: its own methods, each of which requests the actions of the same name.
///
/// A call is named by its UUID in the app. A command ends when its request is accepted, and throws the reason why it is
/// not. A step without a command of its own is a ``transaction``; without that it fails.
@MainActor
public struct AppCommands {
    /// Starts a call: `app calls bob`, `app calls bob with video`.
    public var start: (@MainActor (_ handle: CXHandle, _ isVideo: Bool) async throws -> Void)?
    /// Answers a call: `app: answer A`.
    public var answer: (@MainActor (_ call: UUID) async throws -> Void)?
    /// Ends a call: `app: end A`.
    public var end: (@MainActor (_ call: UUID) async throws -> Void)?
    /// Holds a call or resumes it: `app: hold A`, `app: unhold A`.
    public var hold: (@MainActor (_ call: UUID, _ isOnHold: Bool) async throws -> Void)?
    /// Mutes a call or unmutes it: `app: mute A`, `app: unmute A`.
    public var mute: (@MainActor (_ call: UUID, _ isMuted: Bool) async throws -> Void)?
    /// Merges a call with another one, or takes it out of its group: `app: merge A with B`, `app: split A`.
    public var group: (@MainActor (_ call: UUID, _ other: UUID?) async throws -> Void)?
    /// Holds one call and resumes another one: `app: swap A with B`.
    public var swap: (@MainActor (_ held: UUID, _ resumed: UUID) async throws -> Void)?
    /// Plays digits: `app: key 12# on A`.
    public var dtmf: (@MainActor (_ call: UUID, _ digits: String) async throws -> Void)?
    /// Shows another icon on the account's screens, or none: `app: show icon monkey`, `app: show no icon`.
    public var showIcon: (@MainActor (_ icon: Data?) async throws -> Void)?
    /// Has another name on the account's screens: `app: configure provider "Ape Call"`.
    public var rename: (@MainActor (_ name: String) async throws -> Void)?
    /// Requests actions as one transaction, such as `app: hold A, call bob as B`, and all steps without a command.
    public var transaction: (@MainActor (_ actions: [CXAction]) async throws -> Void)?
    /// The objects that live until the end of the run, for apps whose commands do not refer to all of them.
    private var objects: [AnyObject] = []

    /// Creates commands of which the app has none.
    public init() {}

    /// Creates commands that request everything by an app's controller.
    ///
    /// - Parameter controller: The app's controller.
    public init(_ controller: CXCallController) {
        transaction = { actions in try await controller.request(CXTransaction(actions: actions)) }
    }

    /// Has an object live until the end of the run, such as a provider's delegate, to which nothing else refers.
    public mutating func keepsAlive(_ object: AnyObject) {
        objects.append(object)
    }
}
