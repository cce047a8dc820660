import CommandLineTools
import HubEngine
import HubStore
import HubWire

/// `callhub account handle`.
enum AccountHandle {
    static let subcommand = AccountCommand.Subcommand(
        name: "handle",
        synopsis: "NAME add|remove|first TYPE:VALUE",
        purpose:
            "adds or removes a handle, or puts it first, which callees are\nshown; a removal signs devices out",
        options: [],
        body: change
    )

    private static func change(_ given: Arguments, at location: StoreLocation) throws {
        let words = try given.words("NAME", "add, remove or first", "TYPE:VALUE", after: "account handle")
        let (name, verb) = (words[0], words[1])
        let change: (StoreFile, Handle) throws -> [Handle]
        let handle: Handle
        switch verb {
        case "add":
            handle = try accountHandle(words[2])
            change = { try $0.addHandle($1, to: name) }
        case "remove":
            handle = try Handle(text: words[2])
            change = { try $0.removeHandle($1, from: name) }
        case "first":
            handle = try Handle(text: words[2])
            change = { try $0.putHandleFirst($1, of: name) }
        default:
            throw UsageError("\(quoted(verb)) is invalid; it must be add, remove or first.")
        }
        try location.use { file in
            let handles = try change(file, handle).map { visible($0.typedText) }
            try Command.print("\(visible(name)): \(handles.joined(separator: ", "))\n")
        }
    }
}
