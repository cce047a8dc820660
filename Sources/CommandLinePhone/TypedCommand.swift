import CommandLineTools
import HubAccountData
import HubClient
import HubEngine
import HubWire

/// The parsed command of a line typed at the phone.
enum TypedCommand: Equatable {
    case call(Handle)
    case answer(String?)
    /// Takes one of the choices of a ringing call, which may be named.
    case choose(String, String?)
    case hold(String?)
    case resume(String?)
    case swap
    case mute(String?)
    case unmute(String?)
    /// Merges all calls, or the named ones: one with the active call, or two.
    case merge([String])
    case split(String?)
    case pull(String?)
    /// A call, and the one or the handle that its other party is transferred to; both may be left out.
    case transfer([String])
    case keys([DialStringSegment])
    /// Sends the queued digits.
    case go
    case end(String?)
    /// Declines with a text for the caller, unless the word names a call.
    case decline(String)
    /// Declines on this device only.
    case dismiss(String?)
    case calls
    case recents
    case redial(Int)
    /// Lists the people of the house, or those whose names begin so.
    case people(search: String?)
    /// Reports that the user is away, or back.
    case away(Bool)
    /// Ends the present quiet hours.
    case skip
    /// Chooses the sound for those whom the user holds.
    case onHold(HoldAudioChoice)
    case ping
    case wait(seconds: Double)
    case help
    case quit
    /// An empty line.
    case nothing

    /// Parses a line; the error names the valid form.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - verbs: The commands to suggest in place of an unknown one.
    /// - Throws: `UsageError`, with a sentence.
    init(_ line: String, suggesting verbs: [String] = Self.verbs) throws(UsageError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let verb = words.first?.lowercased() else {
            self = .nothing
            return
        }
        if verb == "decline", words.count > 1 {
            self = .decline(try Self.message(behind: words[0], in: line))
            return
        }
        let object = words.count > 1 ? words[1] : nil
        if verb == "people" {
            self = .people(search: words.count > 1 ? words.dropFirst().joined(separator: " ") : nil)
            return
        }
        let most = ["merge", "choose", "transfer"].contains(verb) ? 3 : 2
        guard words.count <= most else {
            throw UsageError("\(quoted(words[most])) is one word too many; `help` lists the commands.")
        }
        switch verb {
        case "call", "c":
            guard let object else { throw UsageError("Who is to be called? call HANDLE.") }
            self = .call(try Handle(text: object))
        case "answer", "a": self = .answer(object)
        case "choose":
            guard let object else { throw UsageError("Which one? choose CHOICE; `calls` lists them.") }
            self = .choose(object, words.count > 2 ? words[2] : nil)
        case "hold": self = .hold(object)
        case "resume": self = .resume(object)
        case "swap": self = .swap
        case "mute": self = .mute(object)
        case "unmute": self = .unmute(object)
        case "merge": self = .merge(Array(words.dropFirst()))
        case "split": self = .split(object)
        case "pull": self = .pull(object)
        case "transfer": self = .transfer(Array(words.dropFirst()))
        case "keys", "dtmf":
            guard let object else { throw UsageError("Which keys? keys DIGITS.") }
            guard let keys = DialStringSegment.reading(object) else {
                throw UsageError("After each pause come digits: keys 12,34;56.")
            }
            self = .keys(keys)
        case "go": self = .go
        case "end", "e", "decline", "hangup": self = .end(object)
        case "dismiss": self = .dismiss(object)
        case "calls": self = .calls
        case "recents": self = .recents
        case "redial":
            guard let number = Int(object ?? "1"), (1...phoneRecents).contains(number) else {
                throw UsageError("Which one? redial NUMBER, as `recents` lists them.")
            }
            self = .redial(number)
        case "away": self = .away(true)
        case "back": self = .away(false)
        case "skip": self = .skip
        case "onhold":
            guard let choice = object.flatMap({ HoldAudioChoice(rawValue: $0.lowercased()) }) else {
                throw UsageError("What are they to hear? onhold music, tone, silence, or hub for the hub's choice.")
            }
            self = .onHold(choice)
        case "ping": self = .ping
        case "wait":
            guard let seconds = object.flatMap(Double.init), (0...1_000_000).contains(seconds) else {
                throw UsageError("How long? wait SECONDS.")
            }
            self = .wait(seconds: seconds)
        case "help", "?": self = .help
        case "quit", "q", "exit": self = .quit
        default:
            let nearest = nearestCandidate(to: verb, in: verbs)
            let hint = nearest.map { "did you mean \($0)?" } ?? "`help` lists the commands."
            throw UsageError("There is no command \(quoted(verb)); \(hint)")
        }
    }

    /// Returns the text behind the first word of a line.
    private static func message(behind verb: String, in line: String) throws(UsageError) -> String {
        let text = line.drop(while: \.isWhitespace).dropFirst(verb.count).drop(while: \.isWhitespace)
        let message = String(text.reversed().drop(while: \.isWhitespace).reversed())
        guard message.isValidMessage else {
            throw UsageError("The text must be 1 to 256 bytes long, without control or invisible characters.")
        }
        return message
    }

    static let verbs = [
        "call", "answer", "choose", "hold", "resume", "swap", "mute", "unmute", "merge", "split", "pull", "transfer",
        "keys", "go",
        "end", "decline", "dismiss", "calls", "recents", "redial", "people", "away", "back", "skip",
        "onhold", "ping", "wait",
        "help", "quit",
    ]

    static let list = """
        call HANDLE     place a call: call bob, call echo, call phoneNumber:+493012345, call callhub:bob
        answer          answer the call that rings, holding the one before
        choose CHOICE   take a choice of the call that rings, as `calls` lists them: choose endAndAccept
        end             hang up, or decline; end all
        decline TEXT    decline, and have the caller read why: decline Can't talk now, call me later
        dismiss         stop ringing here; your other devices ring on
        hold, resume    hold the active call, resume the held one
        swap            hold the active call and resume the held one
        merge           make one group of all calls; merge CALL: with the active one; merge CALL CALL
        split CALL      take a call out of the group, holding the rest
        transfer        connect the held call with the active one, and leave; transfer HANDLE gives the active one to
                        somebody else, transfer NAME NAME one call to another call or handle
        pull            take over a call from another device of yours; pull NUMBER where there are several
        mute, unmute    keep your sound back, let it through
        keys DIGITS     key digits; those after a , follow a pause, those after a ; wait for `go`: keys 12,34;56
        go              key the digits that wait
        calls           list the calls; wherever a call is meant, a number or a name from the list will do
        recents         list the last calls
        redial          call the party of the last call; redial 3: of the third of `recents`
        people          list the people of the house, and who is free; people SEARCH: beginnings of names
        away, back      tell them that you are away, or back
        skip            let calls ring until the end of your present quiet hours, which come again
        onhold SOUND    what those hear whom you hold: music, tone, silence, or hub for the hub's choice
        ping            how long the way to the hub and back takes
        wait SECONDS    read the next command so much later: for scripts
        quit            end all calls and leave
        """
}
