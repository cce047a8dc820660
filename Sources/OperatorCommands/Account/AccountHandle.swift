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
        let change: (StoreFile, Handle) throws(StoreError) -> [Handle]
        let handle: Handle
        switch verb {
        case "add":
            handle = try accountHandle(words[2])
            change = { file, handle throws(StoreError) in try file.addHandle(handle, to: name) }
        case "remove":
            handle = try Handle(text: words[2])
            change = { file, handle throws(StoreError) in try file.removeHandle(handle, from: name) }
        case "first":
            handle = try Handle(text: words[2])
            change = { file, handle throws(StoreError) in try file.putHandleFirst(handle, of: name) }
        default:
            throw UsageError("\(quoted(verb)) is invalid; it must be add, remove or first.")
        }
        try location.use { file in
            let act = "account.\(verb)Handle"
            let handles = try file.audited(act, on: name, handle.typedText) { () throws(StoreError) in
                try change(file, handle)
            }.map { visible($0.typedText) }
            try Command.print("\(visible(name)): \(handles.joined(separator: ", "))\n")
        }
    }
}
