import CommandLineTools
import HubClient
import HubEngine
import HubWire

/// An administrative command that was read from the command line of `callhub admin`.
enum AdminCommandRequest {
    case calls
    case devices
    case accounts
    case end(ConversationID)
    case signOut(session: String)
    case reload
    case drain(grace: Duration?)

    /// Parses the arguments that follow the verb.
    init(_ verb: String, _ given: Arguments) throws(UsageError) {
        let name = "admin \(verb)"
        guard verb == "drain" || !given.has(AdminCommand.grace) else {
            throw UsageError("--grace goes with drain alone.")
        }
        for option in AuditCommand.options + StoreLocation.options where given.has(option) {
            throw UsageError("\(option.name) goes with audit alone.")
        }
        switch verb {
        case "end":
            let text = try given.words("CALL", after: name)[0]
            guard let call = ConversationID(logText: text) else {
                throw UsageError("\(quoted(text)) is not a call; `callhub admin calls` lists them, such as 3.0.")
            }
            self = .end(call)
        case "sign-out":
            self = .signOut(session: try given.words("SESSION", after: name)[0])
        default:
            _ = try given.words(after: name)
            switch verb {
            case "calls": self = .calls
            case "devices": self = .devices
            case "accounts": self = .accounts
            case "reload": self = .reload
            default:
                let seconds = try given.number(AdminCommand.grace, in: 0...86_400)
                self = .drain(grace: seconds.map { .seconds(Int($0)) })
            }
        }
    }

    /// Sends the command to the hub and formats the answer.
    ///
    /// - Parameters:
    ///   - client: A client with the permission `admin`.
    ///   - json: True for JSON output, false for text.
    /// - Returns: The text to print.
    /// - Throws: `HubClientError` if the hub refuses the request or cannot be reached.
    func output(of client: HubClient, json: Bool) async throws(HubClientError) -> String {
        switch self {
        case .calls:
            let calls = try await client.allCalls()
            return json ? Self.json(.calls(calls)) : AdminTables.text(calls)
        case .devices:
            let devices = try await client.allDevices()
            return json ? Self.json(.devices(devices)) : AdminTables.text(devices)
        case .accounts:
            let accounts = try await client.allAccounts()
            return json ? Self.json(.accounts(accounts)) : AdminTables.text(accounts)
        case .end(let call):
            try await client.endConversation(call)
            return "The call is over.\n"
        case .signOut(let session):
            try await client.signOut(session: session)
            return "The session is over.\n"
        case .reload:
            try await client.reloadHub()
            return "The hub reloads its files; the result is in its log.\n"
        case .drain(let grace):
            try await client.drainHub(grace: grace)
            return "The hub refuses new calls, and stops when the current ones or the grace period have ended.\n"
        }
    }

    /// The hub's reply as JSON (docs/protocol.md).
    private static func json(_ reply: AdminReply) -> String { ReplyPayload.admin(reply).json + "\n" }
}
