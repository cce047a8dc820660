import Foundation
import HubTestSupport
import Testing

/// The repository's folder.
let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

/// Tests of the man pages that `packages/man.py` makes from the help texts.
struct ManualPageTests {
    @Test func `each command has a page with its purpose, its options and its exit codes`() async throws {
        let folder = try TemporaryFolder()
        let script = repository.appending(path: "packages/man.py").path()
        let arguments = ["-B", script, Program.path, folder.path + "/man", "2026-11-24"]
        let maker = try Program(arguments, program: "/usr/bin/python3", in: folder)
        #expect(await maker.exitCode() == 0)
        let overview = try await CommandRun("--help", in: folder).output
        for command in Set(overview.matches(of: /callhub ([a-z]+)/).map { String($0.1) }) {
            let page = try String(contentsOfFile: folder.path + "/man/callhub-\(command).1", encoding: .utf8)
            let purpose = try #require(page.firstMatch(of: /\.SH NAME\ncallhub\\-[a-z]+ \\- (.+)\n/), "\(command)").1
            #expect(overview.contains(purpose.replacing("\\(aq", with: "'")), "\(command)")
            let help = try await CommandRun(command, "--help", in: folder).output
            for option in help.matches(of: /(?m)^  --([a-z-]+)/).map({ $0.1.replacing("-", with: "\\-") }) {
                #expect(page.contains(".TP\n\\fB\\-\\-\(option)\\fR"), "\(command) --\(option)")
            }
            #expect(page.contains(/\.S[HS] EXIT STATUS\n\.TP\n\.B 0\n/), "\(command)")
            #expect(page.contains("callhub (1)") && !page.contains(".BR callhub\\-\(command) (1)"), "\(command)")
        }
        try await Self.expectNoWarning(of: folder)
    }

    /// Expects that roff finds no fault in the pages.
    private static func expectNoWarning(of folder: TemporaryFolder) async throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/man").map { "man/" + $0 }
        let roff = try Program(
            ["-man", "-Tutf8", "-ww", "-z", "-Kutf8"] + pages,
            program: "/usr/bin/groff",
            in: folder,
            withErrors: true
        )
        #expect(await roff.exitCode() == 0)
        #expect(roff.printed.isEmpty)
    }
}
