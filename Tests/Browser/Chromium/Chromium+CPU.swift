import Foundation

extension Chromium {
    /// The CPU time of the browser's threads so far, in all its processes.
    ///
    /// - Returns: Each thread by its ID; empty if the browser has ended.
    public func threadTimes() -> [Int: ThreadTime] {
        let processes = Self.numbers(in: "/proc")
        guard let session = processes.first(where: isBrowser).flatMap(Self.session) else { return [:] }
        var times: [Int: ThreadTime] = [:]
        for process in processes where Self.session(of: process) == session {
            let kind = Self.kind(of: process)
            for thread in Self.numbers(in: "/proc/\(process)/task") {
                let folder = "/proc/\(process)/task/\(thread)"
                // The nanoseconds on a core, those of waiting for one, and the number of times that it got one.
                let words = Self.text(folder + "/schedstat").split(whereSeparator: \.isWhitespace)
                let figures = words.compactMap { Double($0) }
                guard figures.count == 3 else { continue }
                let name = Self.text(folder + "/comm").filter { !$0.isNewline }
                times[thread] = ThreadTime(name: "\(kind) \(name)", milliseconds: figures[0] / 1e6, runs: figures[2])
            }
        }
        return times
    }

    /// Returns true for the browser, and false for its guardian, whose arguments are the browser's, too.
    private func isBrowser(_ process: Int) -> Bool {
        let command = Self.text("/proc/\(process)/cmdline")
        return command.contains(profile) && !command.hasPrefix("sh\0")
    }

    /// The IDs of a folder of /proc.
    private static func numbers(in folder: String) -> [Int] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
    }

    private static func text(_ path: String) -> String {
        String(decoding: (try? Data(contentsOf: URL(filePath: path))) ?? Data(), as: UTF8.self)
    }

    /// The session of a process, which all processes of a browser have in common.
    private static func session(of process: Int) -> Int? {
        // The program's name is in parentheses and may have spaces.
        let fields = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 3 ? Int(fields[3]) : nil
    }

    /// The kind of a process of the browser: `browser`, `renderer`, `AudioService` and so on.
    private static func kind(of process: Int) -> String {
        let words = text("/proc/\(process)/cmdline").split { $0 == "\0" || $0 == " " }
        func value(_ name: String) -> Substring? {
            words.first { $0.hasPrefix(name) }?.split { "=.".contains($0) }.last
        }
        return String(value("--utility-sub-type=") ?? value("--type=") ?? "browser")
    }
}

/// The CPU time of a thread.
public struct ThreadTime: Sendable {
    /// The kind of its process, and its name.
    public let name: String
    /// The milliseconds that it has run.
    public let milliseconds: Double
    /// The number of times that it was given a core.
    public let runs: Double
}
