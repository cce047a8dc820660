import Foundation

/// The `openssl` program, which judges certificates and connections by code that is not the hub's.
public enum OpenSSLTool {
    /// Runs `openssl` to its end.
    ///
    /// - Parameters:
    ///   - arguments: The command and its options.
    ///   - input: The text for its standard input.
    ///   - withErrors: True if the text has what it prints on standard error, too.
    /// - Returns: Its output, and its exit code.
    /// - Throws: An error if it is not installed.
    public static func run(
        _ arguments: [String],
        input: String = "",
        withErrors: Bool = true
    ) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        let (into, out) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (into, out)
        process.standardError = withErrors ? out : FileHandle.nullDevice
        try process.run()
        try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try into.fileHandleForWriting.close()
        let printed = try out.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: printed, as: UTF8.self), process.terminationStatus)
    }

    /// Runs `openssl` to its end; returns what it prints on standard output.
    public static func output(_ arguments: [String], input: String = "") throws -> String {
        try run(arguments, input: input, withErrors: false).text
    }
}
