import CommandLineClient
import CommandLineTools
import Foundation
import HubClient
import HubEngine
import HubWire
import ScenarioKit

/// `callhub scenario record`: records the calls of some accounts as a scenario.
enum RecordCommand {
    static let account = Option(
        "--account",
        value: "NAME",
        help: "the account to record; repeat for several accounts"
    )
    static let time = Option("--for", value: "TIME", help: "duration, such as 30s or 5min; default: until Ctrl-C")
    static let title = Option("--title", value: "TEXT", help: "the scenario's title")
    static let noWaits = Option("--no-waits", help: "omit wait steps")
    static let noSound = Option("--no-sound", help: "omit audio expectations")
    static let force = Option("--force", help: "overwrite an existing FILE")
    static let options = [account, HubAccess.hub, time, title, noWaits, noSound, force] + HubCredentials.options

    /// Runs the command.
    static func run(_ given: Arguments) async throws {
        let recordOptions = try RecordCommandOptions(given)
        let signIn = try HubCredentials(given, environment: ProcessInfo.processInfo.environment)
        var clients: [HubClient] = []
        for account in recordOptions.accounts {
            var options = signIn.access.clientOptions
            options.permissions = [.record]
            options.clientName = "callhub scenario record"
            clients.append(try await connect(as: account, signIn, options))
        }
        let recorder = ScenarioRecorder(clients, recordOptions)
        let end = await recorder.run()
        for client in clients { await client.close() }
        try finish(recorder, recordOptions, end)
    }

    private static func connect(
        as account: String?,
        _ signIn: HubCredentials,
        _ options: ClientOptions
    ) async throws(CommandFailure) -> HubClient {
        do throws(CommandFailure) {
            return try await signIn.connect(as: account, options)
        } catch {
            guard error.code == 2, error.message.contains("\"record\"") else { throw error }
            let who = account.map { quoted($0) } ?? "this token"
            throw CommandFailure(2, "\(who) may not record; a token must have \"record\" among its permissions.")
        }
    }

    /// Writes the file; if the hub was lost, the recording up to then is written.
    private static func finish(
        _ recorder: ScenarioRecorder,
        _ recordOptions: RecordCommandOptions,
        _ end: ScenarioRecorder.End
    ) throws(CommandFailure) {
        let generatedScenario = recorder.generatedScenario()
        guard !generatedScenario.scenario.steps.isEmpty else {
            if case .lost(let why) = end { throw CommandFailure(2, why) }
            throw CommandFailure(3, "no call activity was recorded; no scenario was written.")
        }
        let text = generatedScenario.text
        try recordOptions.write(text)
        if case .lost(let why) = end { Console.err("callhub scenario record: \(why)\n") }
        do throws(ScenarioSyntaxErrors) {
            _ = try ScenarioText.scenarios(parsing: text)
        } catch {
            let fault = error.faults.first?.description ?? "it is no scenario"
            throw CommandFailure(3, "the recorded scenario exceeds the size limit: \(fault).")
        }
    }
}

/// The parsed command line of `callhub scenario record`.
struct RecordCommandOptions: Sendable {
    /// The accounts to record; nil: the token's.
    let accounts: [String?]
    /// The path of the file to write; `-` is standard output.
    let file: String
    /// The maximum duration of the recording; nil: unlimited.
    let time: Duration?
    /// The options of the generated scenario.
    let style: GeneratedScenario.Style
    private let overwrites: Bool

    /// Reads the command line.
    init(_ given: Arguments) throws(UsageError) {
        file = try given.words("FILE", after: "scenario record")[0]
        let names = given.all(RecordCommand.account)
        let hasToken =
            given.has(HubCredentials.tokenFile) || ProcessInfo.processInfo.environment["CALLHUB_TOKEN"] != nil
        guard !names.isEmpty || hasToken else {
            throw UsageError("--account is missing; name the account to record: --account alice.")
        }
        if let twice = names.first(where: { name in names.count { FoldedName($0) == FoldedName(name) } > 1 }) {
            throw UsageError("--account \(quoted(twice)) is given twice; give it once.")
        }
        guard names.count < 2 || !given.has(HubCredentials.passwordFromInput) else {
            throw UsageError("--password-stdin gives one password; record one --account with it.")
        }
        accounts = names.isEmpty ? [nil] : names.map(Optional.some)
        time = try given[RecordCommand.time].map(Self.duration)
        var style = GeneratedScenario.Style()
        if let title = given[RecordCommand.title] { style.title = title }
        style.hasWaits = !given.has(RecordCommand.noWaits)
        style.hasSound = !given.has(RecordCommand.noSound)
        self.style = style
        overwrites = given.has(RecordCommand.force)
        guard file == "-" || overwrites || !FileManager.default.fileExists(atPath: file) else {
            throw UsageError("\(quoted(file)) is there already; --force writes over it.")
        }
        let folder = URL(filePath: file).deletingLastPathComponent().path()
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
        guard file == "-" || (exists && isFolder.boolValue) else {
            throw UsageError("there is no folder \(quoted(folder)) for FILE.")
        }
    }

    /// Writes a scenario to the file or to standard output.
    func write(_ text: String) throws(CommandFailure) {
        guard file != "-" else { return try Command.print(text) }
        do {
            let options: Data.WritingOptions = overwrites ? .atomic : .withoutOverwriting
            try Data(text.utf8).write(to: URL(filePath: file), options: options)
        } catch {
            throw CommandFailure(2, "\(quoted(file)) cannot be written: \(error.localizedDescription)")
        }
    }

    private static func duration(_ text: String) throws(UsageError) -> Duration {
        let units: [(word: String, seconds: Double)] = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3_600)]
        for unit in units where text.hasSuffix(unit.word) {
            let number = text.dropLast(unit.word.count).trimmingCharacters(in: .whitespaces)
            guard let value = Double(number), value > 0, value * unit.seconds <= 86_400 else { break }
            return .milliseconds(Int64(value * unit.seconds * 1_000))
        }
        throw UsageError("--for is \(quoted(text)); it must be a time such as 30s or 5min, 24 hours at most.")
    }
}
