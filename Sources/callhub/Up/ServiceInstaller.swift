import CommandLineTools
import Foundation
import HubConfiguration

/// The path of the running program.
enum ProgramPath {
    /// The program as a command line names it: its name alone where that is found, else its path.
    static var typed: String {
        let path = BrowserPhoneFolder.program
        return ["/usr/bin/callhub", "/usr/local/bin/callhub"].contains(path) ? "callhub" : path
    }
}

/// Makes a systemd service of `callhub up`; nothing that exists is replaced.
struct ServiceInstaller {
    /// The data directory of the service, which systemd makes.
    static let dataDirectory = "/var/lib/callhub"

    /// The path of the unit.
    var unitPath = "/etc/systemd/system/callhub.service"
    /// The paths of units that a package may have installed.
    var packagedPaths = ["/usr/lib/systemd/system/callhub.service", "/lib/systemd/system/callhub.service"]
    /// Indicates that the process may write units.
    var isRoot = geteuid() == 0
    /// Indicates that systemd runs this machine (sd_booted(3)).
    var hasSystemd = access("/run/systemd/system", F_OK) == 0
    /// The path of the program.
    var program = BrowserPhoneFolder.program
    /// Runs `systemctl` with arguments; returns its exit code.
    var systemctl: ([String]) throws -> Int32 = { try ServiceInstaller.runSystemctl($0) }

    /// The result of an installation.
    enum Outcome: Equatable {
        /// The unit was written.
        case written
        /// A unit was there, and is the one that would have been written.
        case same
        /// A package's unit was there, and is used.
        case packaged(String)
    }

    /// Writes the unit, and starts the service.
    ///
    /// - Parameter arguments: The arguments of the service after `up`.
    /// - Returns: The unit that is used.
    /// - Throws: `CommandFailure` without root or systemd, if another unit is there, if the service's user cannot run
    ///   the program, or if systemd does not start it.
    func install(_ arguments: [String]) throws -> Outcome {
        guard hasSystemd else {
            throw CommandFailure(
                2,
                "this machine is not run by systemd; have its own service manager run: \(program) up --data "
                    + Self.dataDirectory
            )
        }
        guard isRoot else {
            let command = (["up", "--install"] + arguments).map(ServiceUnit.word).joined(separator: " ")
            throw CommandFailure(2, "a service is made by root: sudo \(ProgramPath.typed) \(command)")
        }
        let outcome = try write(ServiceUnit.text(program: program, arguments: ["up"] + arguments + data))
        for words in [["daemon-reload"], ["enable", "--now", "callhub.service"]] where try systemctl(words) != 0 {
            throw CommandFailure(
                2,
                "systemctl \(words.joined(separator: " ")) failed; `journalctl -u callhub -n 20` says why."
            )
        }
        return outcome
    }

    private var data: [String] { ["--data", Self.dataDirectory] }

    private func write(_ unit: String) throws -> Outcome {
        if let path = packagedPaths.first(where: { access($0, F_OK) == 0 }), access(unitPath, F_OK) != 0 {
            return .packaged(path)
        }
        if access(unitPath, F_OK) == 0 {
            guard (try? String(contentsOfFile: unitPath, encoding: .utf8)) == unit else {
                throw CommandFailure(
                    2,
                    "\(unitPath) is there already, for another program or with other options; nothing was changed: remove "
                        + "it (sudo rm \(unitPath)) for a new one, or start it (sudo systemctl enable --now callhub)."
                )
            }
            return .same
        }
        if let folder = Self.unreadableFolder(of: program) {
            throw CommandFailure(
                2,
                "the service's user cannot run \(program), since \(folder) is closed to others; copy the program and its "
                    + "web-static to a place for all, such as /opt/callhub, and run it from there."
            )
        }
        do {
            try Data(unit.utf8).write(to: URL(filePath: unitPath), options: .withoutOverwriting)
            chmod(unitPath, 0o644)
        } catch {
            throw CommandFailure(2, "\(unitPath) cannot be written: \(error.localizedDescription)")
        }
        return .written
    }

    /// The first folder on a path, or the file itself, that other users may not pass or run; also what a service's
    /// private `/tmp` hides.
    static func unreadableFolder(of path: String) -> String? {
        if let hidden = ["/tmp", "/var/tmp"].first(where: { path.hasPrefix($0 + "/") }) { return hidden }
        var current = ""
        for part in path.split(separator: "/") {
            current += "/" + part
            var status = stat()
            guard stat(current, &status) == 0, status.st_mode & 0o001 != 0 else { return current }
        }
        return nil
    }

    private static func runSystemctl(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["systemctl"] + arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
