import Foundation
import HubTestSupport

/// A command of the real program over a folder of its own, run to its end.
struct CommandRun {
    let code: Int32
    let output: String
    let errors: String

    /// Runs `callhub` with these arguments.
    ///
    /// - Parameters:
    ///   - arguments: Separate words.
    ///   - folder: Where it runs and keeps what it keeps.
    ///   - input: What is on standard input; nil: nothing, and no terminal.
    /// - Throws: What kept the program from running.
    init(_ arguments: [String], in folder: TemporaryFolder, input: String? = nil) async throws {
        let errors = folder.path + "/errors-\(UUID().uuidString).txt"
        try Data().write(to: URL(filePath: errors))
        let handle = try FileHandle(forWritingTo: URL(filePath: errors))
        let program = try Program(
            arguments,
            in: folder,
            isTypedAt: input != nil,
            standardError: handle
        )
        if let input { try program.type(input) }
        code = await program.exitCode()
        output = program.printed
        self.errors = try String(contentsOfFile: errors, encoding: .utf8)
    }

    /// The same with the arguments one by one.
    init(_ arguments: String..., in folder: TemporaryFolder, input: String? = nil) async throws {
        try await self.init(arguments, in: folder, input: input)
    }
}
