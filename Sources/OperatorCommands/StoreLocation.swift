import CommandLineClient
import CommandLineTools
import Foundation
import HubConfiguration
import HubStore
import HubWire

/// The path of the database that a command works on.
struct StoreLocation {
    static let data = Option(
        "--data",
        value: "DIR",
        help: """
            the hub's data directory, as of `callhub serve`; default: $XDG_DATA_HOME/callhub or
            ~/.local/share/callhub
            """
    )
    static let store = Option("--store", value: "FILE", help: "the database file, if storage.path names another")
    static let options = [data, store]

    let path: String
    /// The data directory; nil: the database is named alone.
    private let directory: String?

    /// Uses the database of a data directory.
    init(directory: String) { self.init(path: directory + "/" + DataDirectory.databaseName, directory: directory) }

    private init(path: String, directory: String?) { (self.path, self.directory) = (path, directory) }

    /// Reads the path from the command line, or takes the default.
    init(_ given: Arguments) throws(UsageError) {
        if let file = given[Self.store] {
            guard !given.has(Self.data) else {
                throw UsageError("--data and --store exclude each other; give one of them.")
            }
            guard !file.isEmpty, file != ":memory:" else {
                throw UsageError("--store is \(quoted(file)); it must be the path of a file.")
            }
            self.init(path: file, directory: nil)
            return
        }
        let folder = given[Self.data] ?? DataDirectory.defaultPath(ProcessInfo.processInfo.environment)
        guard let folder else {
            throw UsageError("there is no home folder that could contain the database; name it by --data or --store.")
        }
        self.init(directory: folder)
    }

    /// The address of the page of a hub that has left none.
    static let usualPage = "http://localhost:8080"

    /// Returns the address of the hub's page, for links.
    ///
    /// - Parameters:
    ///   - given: The command line.
    ///   - option: The option that gives it; without it, it is the one that the data directory's hub has had last.
    /// - Returns: The address.
    /// - Throws: `UsageError` for a value that is no address of a page.
    func page(_ given: Arguments, _ option: Option) throws(UsageError) -> String {
        guard let page = given[option] else { return directory.flatMap(PageAddress.read)?.url ?? Self.usualPage }
        guard CallLink.isPage(page) else {
            throw UsageError("\(option.name) is \(quoted(page)); it must be a web page, like https://hub.example.com.")
        }
        return page
    }

    /// Indicates that the database file exists.
    var exists: Bool { access(path, F_OK) == 0 }

    /// Opens the database, calls a body with it, and turns errors of the store into a command's failure.
    ///
    /// - Parameters:
    ///   - createsIfMissing: True if a missing database is created.
    ///   - body: The function that uses the open database.
    /// - Returns: The value that the body returns.
    /// - Throws: `CommandFailure` for an error of the store, and other errors that the body throws.
    func use<Result>(creatingIfMissing createsIfMissing: Bool = false, _ body: (StoreFile) throws -> Result) throws
        -> Result
    {
        do {
            return try body(StoreFile(path, creatingIfMissing: createsIfMissing))
        } catch let failure as StoreError {
            throw CommandFailure(failure, at: path)
        }
    }

    /// Writes the journal that a killed hub has left into the database, unless a running hub is using it.
    func recoverJournal() {
        var settings = StoreSettings(path)
        settings.isForCommand = true
        guard Store.hasJournal(path), let store = try? Store(settings) else { return }
        store.close()
    }
}

extension CommandFailure {
    /// Turns an error of the store into a failure: exit code 3 if the request is invalid, 2 for a faulty database.
    init(_ failure: StoreError, at path: String) {
        let asked = "\(failure.message)."
        self =
            switch failure.kind {
            case .noSuchAccount, .accountExists, .handleTaken, .lastAdministrator, .invalidArgument: Self(3, asked)
            case .full: Self(2, "the disk of \(path) is full; nothing was changed, free some space.")
            case .readOnly: Self(2, "\(path) may not be written by this user; run the command as the hub's.")
            case .busy: Self(2, "\(path) is locked by another program; nothing was changed, try again.")
            case .corrupt: Self(2, "\(path) is damaged (\(failure.detail)); restore a backup.")
            case .inputOutput: Self(2, "\(path) cannot be read or written (\(failure.detail)); check its disk.")
            case .unusable where failure.message.contains("locked"):
                Self(2, "\(path) is locked by another program; nothing was changed, try again.")
            case .overload, .closed, .unusable, .fault: Self(2, "\(failure.description).")
            }
    }
}
