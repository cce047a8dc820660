import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The hub of a trial: a process with settings of its own.
final class TrialHub {
    /// The process.
    let child: ChildProcess
    /// The address that it listens on.
    let address: ListeningAddress
    private let folder: TrialFolder

    /// Starts a hub, and waits until it listens.
    ///
    /// - Parameters:
    ///   - options: The options with the hub's path and further arguments.
    ///   - configuration: The configuration file, as JSON5.
    ///   - host: The IPv4 address to listen on.
    ///   - prefix: A program and its arguments that start the hub: `ip netns exec …`.
    ///   - folder: The data folder of an earlier hub; nil: a new folder.
    ///   - port: The TCP port; 0: the system chooses.
    /// - Throws: `BenchmarkError` if a file cannot be written or the hub does not listen in time.
    init(
        _ options: TrialOptions,
        configuration: String = "{}",
        host: String = "127.0.0.1",
        prefix: [String] = [],
        folder: TrialFolder? = nil,
        port: Int = 0
    ) throws(BenchmarkError) {
        if let folder { self.folder = folder } else { self.folder = try TrialFolder() }
        child = try Self.begin(
            options,
            configuration: configuration,
            host: host,
            prefix: prefix,
            in: self.folder,
            port: port
        )
        address = try child.waitForAddress()
    }

    deinit {
        child.end(SIGKILL)
    }

    /// Starts the process, and does not wait until it listens.
    static func begin(
        _ options: TrialOptions,
        configuration: String,
        host: String = "127.0.0.1",
        prefix: [String] = [],
        in folder: TrialFolder,
        port: Int = 0
    ) throws(BenchmarkError) -> ChildProcess {
        let file = try folder.write(configuration, to: "hub.json5")
        let place = ["serve", "--config", file, "--data", folder.path, "--listen", "\(host):\(port)"]
        let words = prefix + [options.hub] + place + ["--log-level", "warning"] + options.hubArguments
        return try ChildProcess(path: words[0], arguments: Array(words.dropFirst()))
    }

    /// The kernel's figures of its process.
    var statistics: ProcessStatistics { ProcessStatistics(id: child.id) }

    /// Returns the number of files and sockets that it has open.
    func openFiles() throws(BenchmarkError) -> Int {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.id)/fd").count
        } catch {
            throw BenchmarkError("the open files of \(child.name) cannot be listed: has it ended?\(child.lastOutput)")
        }
    }

    /// Reads its metrics.
    func metrics() throws(BenchmarkError) -> HubMetrics {
        do throws(BenchmarkError) {
            return try HubMetrics(of: address)
        } catch {
            throw BenchmarkError("\(error)\(child.lastOutput)")
        }
    }
}
