import Foundation
import HubTestSupport
import Testing

/// Tests of `callhub completion`, by the shells themselves.
struct CompletionTests {
    /// The words that a shell offers for the last word of a command line.
    private static func candidates(_ shell: String, _ line: String) async throws -> Set<String> {
        let folder = try TemporaryFolder()
        let subfolder = folder.url.appending(path: "config.d")
        try FileManager.default.createDirectory(at: subfolder, withIntermediateDirectories: false)
        try Data().write(to: folder.url.appending(path: "config.json5"))
        let script = try await CommandRun("completion", shell, in: folder).output
        try Data(script.utf8).write(to: folder.url.appending(path: "completion"))
        let ask =
            shell == "fish"
            ? #"source completion; complete -C "$argv[1]""#
            : #"""
            source completion
            compopt() { :; }
            read -ra COMP_WORDS <<< "${1//=/ = }"
            [[ $1 == *" " || $1 == *= ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _callhub
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let program = try Program(
            (shell == "fish" ? ["--no-config", "-c", ask] : ["--norc", "-c", ask, "bash"]) + [line],
            program: "/usr/bin/" + shell,
            in: folder,
            environment: ["HOME": folder.path]
        )
        #expect(await program.exitCode() == 0)
        return Set(program.printed.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
    }

    @Test(arguments: [
        ("callhub se", ["serve"]), ("callhub --v", ["--version"]), ("callhub account a", ["add", "admin"]),
        ("callhub serve --log-f", ["--log-format"]), ("callhub serve --config conf", ["config.json5", "config.d"]),
        ("callhub serve --data conf", ["config.d"]), ("callhub serve --listen conf", []),
        ("callhub serve --listen 127.0.0.1:0 --log-f", ["--log-format"]), ("callhub phone conf", []),
        ("callhub replay conf", ["config.json5", "config.d"]), ("callhub restore conf", ["config.json5", "config.d"]),
        ("callhub account --data config.d rem", ["remove"]), ("callhub admin drain --gr", ["--grace"]),
        ("callhub account erase --", ["--data", "--store", "--yes", "--help"]),
    ])
    func `bash completes commands, subcommands, options and files`(_ line: String, _ expected: [String]) async throws {
        #expect(try await Self.candidates("bash", line) == Set(expected))
    }

    @Test func `bash completes the value after an equals sign`() async throws {
        #expect(try await Self.candidates("bash", "callhub serve --data=conf") == ["config.d"])
        let files: Set = ["config.json5", "config.d"]
        #expect(try await Self.candidates("bash", "callhub serve --config=").isSuperset(of: files))
        #expect(try await Self.candidates("bash", "callhub serve --config=conf") == files)
    }

    @Test(arguments: [
        ("callhub se", ["serve"]), ("callhub --v", ["--version"]), ("callhub account a", ["add", "admin"]),
        ("callhub serve --log-f", ["--log-format"]), ("callhub serve --config conf", ["config.json5", "config.d/"]),
        ("callhub serve --data conf", ["config.d/"]), ("callhub phone conf", []),
        ("callhub replay conf", ["config.json5", "config.d/"]), ("callhub admin drain --gr", ["--grace"]),
        ("callhub account erase --", ["--data", "--store", "--yes", "--help"]),
    ])
    func `fish completes commands, subcommands, options and files`(_ line: String, _ expected: [String]) async throws {
        #expect(try await Self.candidates("fish", line) == Set(expected))
    }

    @Test func `zsh accepts its script, with a function for every command and subcommand`() async throws {
        let folder = try TemporaryFolder()
        let script = try await CommandRun("completion", "zsh", in: folder).output
        try script.write(toFile: folder.path + "/_callhub", atomically: true, encoding: .utf8)
        let zsh = try Program(["-f", "-n", "_callhub"], program: "/usr/bin/zsh", in: folder, withErrors: true)
        #expect(await zsh.exitCode() == 0)
        #expect(zsh.printed.isEmpty)
        for name in ["_callhub", "_callhub_serve", "_callhub_account_add", "_callhub_admin_sign-out"] {
            #expect(script.contains("\n\(name)() {\n"), "\(name)")
        }
        #expect(script.contains("'*--hours=[create: the link'\\''s lifetime in hours]:N: '"))
    }

    @Test func `every option of every help is completed, and no other`() async throws {
        let folder = try TemporaryFolder()
        let script = try await CommandRun("completion", "bash", in: folder).output
        let commands = try await CommandRun("--help", in: folder).output.matches(of: /callhub ([a-z]+)/).map(\.1)
        #expect(commands.count > 10)
        for command in Set(commands) {
            let help = try await CommandRun(String(command), "--help", in: folder).output
            let listed = help.matches(of: /(?m)^  (--[a-z-]+)/).map(\.1)
            let start = try #require(script.firstRange(of: "'\(command)')"), "\(command)").upperBound
            let entry = script[start...]
            let options = try #require(entry.firstMatch(of: /options='([^']*)'/)).1.split(separator: " ")
            #expect(Set(options) == Set(listed).union(["--help"]), "\(command)")
        }
    }

    @Test func `a shell that is not known is refused with those that are`() async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("completion", "tcsh", in: folder)
        #expect(run.code == 1)
        let message = "there is no completion for \"tcsh\"; it must be bash, zsh or fish."
        #expect(run.errors == "callhub completion: \(message)\n")
        #expect(try await CommandRun("completion", in: folder).code == 1)
        #expect(try await CommandRun("completion", "bash", "zsh", in: folder).code == 1)
    }
}
