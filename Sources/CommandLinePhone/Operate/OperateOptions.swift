import CommandLineClient
import CommandLineTools
import HubWire

/// The parsed command line of `callhub operate`.
struct OperateOptions {
    /// The account's name; nil: the token names it.
    var account: String?
    var signIn: HubCredentials
    var settings: PhoneSettings
    var json: Bool
    /// Indicates that the device may sign in later.
    var waits: Bool

    /// Reads the command line, and the credentials, which must not be on one, from the environment.
    init(_ arguments: Arguments, environment: [String: String]) throws(UsageError) {
        signIn = try HubCredentials(arguments, environment: environment)
        settings = PhoneSettings(hub: signIn.access.url)
        account = arguments.words.first
        if let account, arguments.words.count > 1 {
            throw UsageError("\(quoted(arguments.words[1])) is one word too many; the account is \(quoted(account)).")
        }
        guard account != nil || signIn.hasToken else {
            throw UsageError("an account is missing: callhub operate ACCOUNT --device ID.")
        }
        guard let device = arguments[Self.device], !device.isEmpty else {
            throw UsageError("a device is missing: --device ID, the id by which the program to be operated signs in.")
        }
        settings.operatedDevice = device
        settings.seconds = try arguments.number(Self.for, in: 0.02...1_000_000)
        json = arguments.has(PhoneOptions.json)
        settings.keepsGoing = arguments.has(Self.keepGoing)
        waits = arguments.has(Self.wait)
    }

    static let device = Option(
        "--device",
        value: "ID",
        help: "the id of the device to operate: CALLHUB_DEVICE of its program, device.id of the protocol"
    )
    static let `for` = Option(
        "--for",
        value: "SECONDS",
        help: "leave so long after the begin; without it the end of standard input is the end"
    )

    static let wait = Option("--wait", help: "operate a device that is not signed in, as soon as it is")
    static let keepGoing = Option(
        "--keep-going",
        help: "perform the other lines of a script after a refused one, too; the exit code is 3 all the same"
    )

    static let all =
        [HubAccess.hub, device, wait, `for`, keepGoing, PhoneOptions.json] + HubCredentials.options + [
            PhoneOptions.longHelp
        ]
}
