import HubEngine

/// A line typed at the phone, read.
enum TypedCommand: Equatable {
    case call(Handle)
    case answer(String?)
    case hold(String?)
    case resume(String?)
    case swap
    case mute(String?)
    case unmute(String?)
    case keys(String)
    case end(String?)
    case calls
    case recents
    case redial(Int)
    case ping
    case wait(seconds: Double)
    case help
    case quit
    /// An empty line.
    case nothing

    /// Reads a line; the error says what would be right.
    init(_ line: String) throws(UsageError) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let verb = words.first?.lowercased() else {
            self = .nothing
            return
        }
        let object = words.count > 1 ? words[1] : nil
        guard words.count <= 2 else {
            throw UsageError("\(quoted(words[2])) is one word too many; `help` lists the commands.")
        }
        switch verb {
        case "call", "c":
            guard let object else { throw UsageError("Who is to be called? call HANDLE.") }
            self = .call(try Handle(text: object))
        case "answer", "a": self = .answer(object)
        case "hold": self = .hold(object)
        case "resume": self = .resume(object)
        case "swap": self = .swap
        case "mute": self = .mute(object)
        case "unmute": self = .unmute(object)
        case "keys":
            guard let object else { throw UsageError("Which keys? keys DIGITS.") }
            self = .keys(object)
        case "end", "e", "decline", "hangup": self = .end(object)
        case "calls": self = .calls
        case "recents": self = .recents
        case "redial":
            guard let number = Int(object ?? "1"), (1...phoneRecents).contains(number) else {
                throw UsageError("Which one? redial NUMBER, as `recents` lists them.")
            }
            self = .redial(number)
        case "ping": self = .ping
        case "wait":
            guard let seconds = object.flatMap(Double.init), (0...1_000_000).contains(seconds) else {
                throw UsageError("How long? wait SECONDS.")
            }
            self = .wait(seconds: seconds)
        case "help", "?": self = .help
        case "quit", "q", "exit": self = .quit
        default:
            let nearest = nearestWord(to: verb, in: Self.verbs)
            let hint = nearest.map { "did you mean \($0)?" } ?? "`help` lists the commands."
            throw UsageError("There is no command \(quoted(verb)); \(hint)")
        }
    }

    private static let verbs = [
        "call", "answer", "hold", "resume", "swap", "mute", "unmute", "keys", "end", "calls", "recents",
        "redial", "ping", "wait", "help", "quit",
    ]

    static let list = """
        call HANDLE     place a call: call bob, call echo, call phoneNumber:+493012345, call callhub:bob
        answer          answer the call that rings, holding the one before
        end             hang up, or decline; end all
        hold, resume    hold the active call, resume the held one
        swap            hold the active call and resume the held one
        mute, unmute    keep your sound back, let it through
        keys DIGITS     key digits
        calls           list the calls; answer, end, hold, resume and mute take a number or a name from it
        recents         list the last calls
        redial          call the party of the last call; redial 3: of the third of `recents`
        ping            how long the way to the hub and back takes
        wait SECONDS    read the next command so much later: for scripts
        quit            end all calls and leave
        """
}
