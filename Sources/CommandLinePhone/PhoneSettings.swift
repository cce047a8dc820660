import CommandLineClient
import HubEngine

/// The behaviour of a phone that its command line or another front end decides.
struct PhoneSettings {
    /// The URL of the hub, for messages.
    var hub: String
    /// The device of the account whose calls are operated; nil: the phone has calls of its own.
    var operatedDevice: String?
    /// Indicates that an operator's script goes on after a command that was refused.
    var keepsGoing = false
    /// The link that the phone uses; it can call only the link's callee.
    var link: CallLink?
    /// The handle to call at the start; the phone exits after the call.
    var call: Handle?
    /// Indicates that the phone answers every call, and exits after the last one.
    var answers = false
    /// The time after which a connected call is hung up, in seconds; nil: unlimited.
    ///
    /// A phone whose call is not answered, or that gets none, exits after the same time.
    var seconds: Double?

    init(hub: String) { self.hub = hub }
}

/// The exit codes of the phone's process.
enum PhoneExit: Int32 {
    /// A call took place, or the user ended the phone.
    case ended = 0
    /// The command line is wrong.
    case usage = 1
    /// The hub cannot be reached, refuses the account, or was lost for good.
    case noHub = 2
    /// A call was requested and none took place; of an operator's script, a command was refused.
    case noCall = 3
    /// Sound cannot be read or written.
    case sound = 4
}
