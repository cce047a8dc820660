import CommandLineTools
import Foundation
import HubConfiguration
import HubStore

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

    /// The path at which the service's data is stored.
    var target = dataDirectory
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
    }

    /// Writes the unit, and starts the service.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the service after `up`.
    ///   - source: The data directory of a hub that has ended, which is copied for the service; nil: it begins anew.
    /// - Returns: The unit that is used.
    /// - Throws: `CommandFailure` without root or systemd, if another unit is there, if the service's user cannot run
    ///   the program, if a package's service is in use, if the data cannot be copied, or if systemd does not start it.
    func install(_ arguments: [String], from source: String? = nil) throws -> Outcome {
        guard hasSystemd else {
            throw CommandFailure(
                2,
                "this machine is not run by systemd; have its own service manager run: \(program) up --data "
                    + Self.dataDirectory
            )
        }
        guard isRoot else {
            let from = source.map { [UpOptions.from.name, $0] } ?? []
            let command = (["up", "--install"] + arguments + from).map(ServiceUnit.word).joined(separator: " ")
            throw CommandFailure(2, "a service is made by root: sudo \(ProgramPath.typed) \(command)")
        }
        if let source { try checkData(of: source) }
        let outcome = try write(ServiceUnit.text(program: program, arguments: ["up"] + arguments + data))
        if let source { try copyData(from: source) }
        for words in [["daemon-reload"], ["enable", "--now", "callhub.service"]] where try systemctl(words) != 0 {
            throw CommandFailure(
                2,
                "systemctl \(words.joined(separator: " ")) failed; `journalctl -u callhub -n 20` says why."
            )
        }
        return outcome
    }

    /// Checks that a data directory can be copied for the service.
    private func checkData(of source: String) throws(CommandFailure) {
        let (files, database) = (FileManager.default, source + "/" + DataDirectory.databaseName)
        guard files.fileExists(atPath: database) else {
            throw CommandFailure(
                2,
                "\(source) has no \(DataDirectory.databaseName); name the data directory of a server by --from."
            )
        }
        guard !Store.isInUse(database) else {
            throw CommandFailure(2, "a server is using \(source); end it first (Ctrl-C), and run this again.")
        }
        guard !files.fileExists(atPath: target + "/" + DataDirectory.databaseName) else {
            throw CommandFailure(
                2,
                "the service has data already, in \(target); nothing was changed: leave --from out to use it, or move it "
                    + "away."
            )
        }
    }

    /// Copies a data directory for a service that has none yet; a part of it is removed again.
    ///
    /// systemd gives it to the service's user.
    private func copyData(from source: String) throws(CommandFailure) {
        let (files, part) = (FileManager.default, target + ".part")
        do {
            try? files.removeItem(atPath: part)
            try files.copyItem(atPath: source, toPath: part)
            // An empty folder may be there; rename(2) replaces no other.
            guard rename(part, target) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            try? files.removeItem(atPath: part)
            throw CommandFailure(2, "\(source) cannot be copied to \(target): \(error.localizedDescription)")
        }
    }

    private var data: [String] { ["--data", Self.dataDirectory] }

    private func write(_ unit: String) throws -> Outcome {
        try checkPackagedService()
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

    /// Checks that the service of a package is not in use: the unit would take its place (systemd.unit(5)).
    private func checkPackagedService() throws {
        guard access(unitPath, F_OK) != 0, packagedPaths.contains(where: { access($0, F_OK) == 0 }) else { return }
        for word in ["is-enabled", "is-active"] where try systemctl([word, "--quiet", "callhub.service"]) == 0 {
            throw CommandFailure(
                2,
                "the package's service callhub is in use already, with /etc/callhub/callhub.json5; nothing was changed: "
                    + "change its settings there, or end it for this one (sudo systemctl disable --now callhub)."
            )
        }
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
