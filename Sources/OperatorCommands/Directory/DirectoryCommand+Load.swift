import CommandLineClient
import CommandLineTools
import DirectoryReading
import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubWire
import Synchronization

extension DirectoryCommand {
    /// `callhub directory load`.
    static func load(_ given: Arguments) async throws {
        let removalPath = given[removal]
        guard removalPath == nil || given.has(incremental) else {
            throw UsageError("--remove goes with --incremental; a load without it replaces all entries.")
        }
        let path = try given.words(
            "FILE.csv or FILE.vcf",
            optional: removalPath == nil ? 0 : 1,
            after: "directory load"
        ).first
        let identifier = try identifier(given, path)
        let numbers = try numbers(given)
        let signIn = try signIn(given)
        let start = ContinuousClock.now
        var line = ProgressLine()
        let entries = try read(path, numbers, given, &line)
        let removed = try read(removalPath, numbers, given, isRemoval: true, &line)
        let client = try await connect(signIn, given)
        if let most = client.session?.limits.maximumDirectoryEntries, entries.table.count > most {
            await client.close()
            let entries =
                "\(path.map { visible($0) } ?? identifier) has \(count(entries.table.count, "entry", "entries"))"
            throw CommandFailure(
                3,
                "\(entries), and this hub stores \(grouped(most)) for an account; nothing was loaded."
            )
        }
        let interruption = leaveWhenInterrupted(client)
        let loader = DirectoryLoader(
            client: client,
            identifier: identifier,
            title: given[title],
            isIncremental: given.has(incremental)
        )
        let result: DirectoryLoadResult
        let total = entries.table.count + removed.table.count
        do throws(CommandFailure) {
            result = try await loader.load(entries.table, removing: removed.table) { taken in
                line.show("\(taken * 100 / max(1, total)) % of \(count(total, "entry", "entries")) sent")
            }
        } catch {
            line.wipe()
            // The cause is the signal, and not the failure that the client's end makes of it.
            if interruption.hasBegun { await Signals.waitForEnd() }
            await client.close()
            throw error
        }
        line.wipe()
        await client.close()
        let report = DirectoryLoadReport(
            extension: identifier,
            blocking: result.blocking,
            identification: result.identification,
            sent: entries.table.count,
            removals: removed.table.count,
            duplicates: entries.table.duplicates,
            badLines: entries.badLines + removed.badLines,
            seconds: start.duration(to: .now) / .seconds(1)
        )
        try Command.print(given.has(Command.json) ? jsonText(report) : report.sentence)
    }

    private static func identifier(_ given: Arguments, _ path: String?) throws(UsageError) -> String {
        guard let identifier = given[extensionName] ?? path.map(DirectoryFile.baseName) else {
            throw UsageError("--extension NAME is missing: the name of the directory.")
        }
        guard (1...256).contains(identifier.utf8.count) else {
            throw UsageError("\(quoted(identifier)) cannot be a directory's name; it must have 1 to 256 bytes.")
        }
        return identifier
    }

    private static func numbers(_ given: Arguments) throws(UsageError) -> NumberReading {
        guard let text = given[countryCode] else { return NumberReading() }
        guard let country = CountryCode(text) else {
            throw UsageError("--country-code is \(quoted(text)); it must be one to three digits, such as 49.")
        }
        return NumberReading(country: country)
    }

    /// Reads a file and reports its bad lines on standard error; without a path, the table is empty.
    private static func read(
        _ path: String?,
        _ numbers: NumberReading,
        _ given: Arguments,
        isRemoval: Bool = false,
        _ line: inout ProgressLine
    ) throws(CommandFailure) -> (table: DirectoryTable, badLines: Int) {
        guard let path else { return (DirectoryTable(), 0) }
        var errorMessages: [String] = []
        let source = DirectorySource(
            path: path,
            skipsBad: given.has(skipBad),
            numbers: numbers,
            isRemoval: isRemoval
        ) { errorMessages.append($0) }
        defer {
            line.wipe()
            for errorMessage in errorMessages { Console.err(errorMessage + "\n") }
        }
        return try source.table { count in line.show("\(grouped(count)) lines read") }
    }

    /// Closes the connection before Ctrl-C ends the program.
    ///
    /// After a loss without a close the hub would keep the load until its timeout, and refuse the next one.
    private static func leaveWhenInterrupted(_ client: HubClient) -> Interruption {
        let interruption = Interruption()
        Signals.handle([SIGINT, SIGTERM, SIGHUP]) { signal in
            interruption.begin()
            Task {
                await client.close()
                Signals.end(by: signal)
            }
        }
        return interruption
    }
}

/// Indicates that a signal is about to end the program.
private final class Interruption: Sendable {
    private let flag = Atomic(false)

    var hasBegun: Bool { flag.load(ordering: .acquiring) }

    func begin() { flag.store(true, ordering: .releasing) }
}
