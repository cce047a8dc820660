import CommandLineClient
import CommandLineTools
import Foundation
import HubEngine
import HubWire

/// The parsed command line of `callhub phone`.
struct PhoneOptions {
    /// The account's name; nil: the token names it.
    var account: String?
    var signIn: HubCredentials
    /// The phone's behaviour.
    var settings: PhoneSettings
    var play: String?
    var record: String?
    var json: Bool
    var deviceName: String?
    /// The name of the guest of a link.
    var guestName: String?

    /// Reads the command line, and the credentials, which must not be on one, from the environment.
    init(_ arguments: Arguments, environment: [String: String]) throws(UsageError) {
        signIn = try HubCredentials(arguments, environment: environment)
        settings = PhoneSettings(hub: signIn.access.url)
        account = arguments.words.first
        if let account, arguments.words.count > 1 {
            throw UsageError("\(quoted(arguments.words[1])) is one word too many; the account is \(quoted(account)).")
        }
        if let text = arguments[Self.link] {
            try Self.checkAlone(arguments)
            let link = try CallLink(text: text)
            settings.link = link
            if !arguments.has(HubAccess.hub) { signIn.access.url = link.hub }
            (signIn.access.token, signIn.access.password) = (link.token, nil)
        }
        guestName = arguments[Self.name]
        if let guestName {
            guard settings.link != nil else { throw UsageError("--name is the name of a guest; give it with --link.") }
            guard guestName.isGuestName else {
                let requirement = "it must have 1 to 256 bytes and no control or invisible characters"
                throw UsageError("--name is \(quoted(guestName)); \(requirement).")
            }
        }
        settings.hub = signIn.access.url
        guard account != nil || signIn.hasToken else {
            throw UsageError("an account is missing: callhub phone ACCOUNT.")
        }
        if let text = arguments[Self.call] { settings.call = try Handle(text: text) }
        settings.answers = arguments.has(Self.answer)
        play = arguments[Self.play]
        record = arguments[Self.record]
        settings.seconds = try arguments.number(Self.for, in: 0.02...1_000_000)
        json = arguments.has(Self.json)
        deviceName = arguments[Self.device]
    }

    /// Throws if options are combined with a link that the link itself determines: the account and the callee.
    private static func checkAlone(_ arguments: Arguments) throws(UsageError) {
        if let account = arguments.words.first {
            throw UsageError("\(quoted(account)) and --link name two accounts; the link is one of its own.")
        }
        let others = [call, answer, HubCredentials.passwordFromInput, HubCredentials.tokenFile]
        if let other = others.first(where: arguments.has) {
            throw UsageError("\(other.name) does not go with --link, which says who calls and who is called.")
        }
    }

    static let link = Option(
        "--link",
        value: "URL",
        help: """
            in place of ACCOUNT: be the phone of a link from `callhub link create`, for one callee.
            Return calls and hangs up; where standard input is no terminal, it calls at once
            """
    )
    static let name = Option(
        "--name",
        value: "NAME",
        help: "with --link: your name for the callee, if the link asks its guests for one"
    )
    static let call = Option("--call", value: "HANDLE", help: "place a call, and end when it has ended")
    static let answer = Option("--answer", help: "answer every call that comes; end when the last one has ended")
    static let play = Option(
        "--play",
        value: "FILE",
        help: """
            what the other side hears: a WAV or Ogg Opus file, from its beginning when the call
            is connected; without --for the phone hangs up a second after the file's end.
            `-`: raw 48 kHz 16-bit mono on standard input, live: what comes before the call is
            connected is thrown away; `alsa:NAME`: a microphone of ALSA, as in alsa:default
            """
    )
    static let record = Option(
        "--record",
        value: "FILE",
        help: """
            keep what is heard: .wav, or .ogg or .opus (the packets as they came; from the
            first group on, where several are heard at once, what they are together);
            `-`: raw 48 kHz 16-bit mono on standard output; `alsa:NAME`: a speaker of ALSA
            """
    )
    static let `for` = Option(
        "--for",
        value: "SECONDS",
        help: """
            hang up so long after the call was connected; give up if it is not answered within
            as long, or none comes; without --call or --answer the end of standard input ends
            the phone before that
            """
    )
    static let json = Option("--json", help: "one JSON object a line for each event, for scripts")
    static let device = Option("--device", value: "NAME", help: "a name of this device for people")
    static let longHelp = Option("--help", help: "this text")
    static let shortHelp = Option("-h", help: "")

    static let all =
        [HubAccess.hub, call, answer, play, record, `for`, json, device, link, name] + HubCredentials.options + [
            longHelp
        ]
}
