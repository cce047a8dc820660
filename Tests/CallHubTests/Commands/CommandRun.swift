import Foundation
import HubTestSupport

/// The result of a command of the `callhub` program, run to its end in a folder of its own.
struct CommandRun {
    let code: Int32
    let output: String
    let errors: String

    /// Runs `callhub` with these arguments and waits for its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the program's name.
    ///   - folder: The working folder, which holds the data too.
    ///   - input: The text on standard input; nil: none, and no terminal.
    ///   - endsInput: True to close standard input behind the text, as a pipe's writer does.
    /// - Throws: Any error of the file system, or of starting the program.
    init(
        _ arguments: [String],
        in folder: TemporaryFolder,
        input: String? = nil,
        endsInput: Bool = false
    ) async throws {
        let errors = folder.path + "/errors-\(UUID().uuidString).txt"
        try Data().write(to: URL(filePath: errors))
        let handle = try FileHandle(forWritingTo: URL(filePath: errors))
        let program = try Program(
            arguments,
            in: folder,
            isTypedAt: input != nil,
            standardError: handle
        )
        // The program has its own; Foundation keeps what a process was started with for as long as the tests run.
        try handle.close()
        if let input { try program.type(input) }
        if endsInput { try program.endInput() }
        code = await program.exitCode()
        output = program.printed
        self.errors = try String(contentsOfFile: errors, encoding: .utf8)
    }

    /// Runs `callhub` with the arguments one by one.
    init(_ arguments: String..., in folder: TemporaryFolder, input: String? = nil) async throws {
        try await self.init(arguments, in: folder, input: input)
    }
}
