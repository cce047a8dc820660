package import HubEngine
import Synchronization

/// An app in the run's process that is a party's phone; used on the run's thread.
///
/// Its device's connection is observed: the requests that it sends, and all that it receives, are events of the
/// environment, in one order with those of the other devices.
package protocol AppPhone: AnyObject {
    /// The number of its connection, which stays the same when it connects again.
    var connection: Int { get }
    /// Makes the app, whose device signs in with the app's first provider.
    ///
    /// - Parameter hertz: The frequency of the tone that is the device's microphone; nil: it sends no sound.
    /// - Returns: The progress of the app's creation.
    func launch(speaking hertz: Double?) -> AppProgress
    /// Has the app do something.
    func perform(_ command: AppCommand) -> AppProgress
    /// Cuts or restores the link between the device and the hub.
    func setLink(isCut: Bool)
}

/// Something that an app, or the user of its device, is to do.
package enum AppCommand: Hashable, Sendable {
    /// A transaction that the app requests by itself.
    case request([ActionRequest])
    /// The same by the system's call screen.
    case tap([ActionRequest])
    /// A button of a ringing call on the system's call screen.
    case choose(Choice.Name, CallUUID)
    /// Another icon of the app's provider, PNG data; nil: none.
    case showIcon([UInt8]?)
    /// Another name of the app's provider.
    case rename(String)
}

/// The progress of a command to an app; safe on any thread.
package final class AppProgress: Sendable {
    /// The reason why a command was not carried out.
    package struct Refusal: Error, Hashable {
        /// The error's name at the hub; nil: it is none of the hub's.
        package var name: String?
        /// The reason, a sentence.
        package var sentence: String

        /// Creates a reason from its parts.
        package init(name: String? = nil, sentence: String) {
            (self.name, self.sentence) = (name, sentence)
        }
    }

    private let state = Mutex<Result<Void, Refusal>?>(nil)

    /// Creates the progress of a command that has begun.
    package init() {}

    /// Notes the end of the command.
    package func end(_ result: Result<Void, Refusal>) {
        state.withLock { $0 = $0 ?? result }
    }

    /// The result; nil: the command goes on.
    var result: Result<Void, Refusal>? { state.withLock { $0 } }
}
