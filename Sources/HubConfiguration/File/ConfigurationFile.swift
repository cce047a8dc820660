import Foundation
import HubWire

/// Reads the file of `--config`: JSON5 with the keys of ``SettingsTable``.
public enum ConfigurationFile {
    /// The settings of a file; those that it does not set have their defaults.
    ///
    /// - Throws: `SettingsError` if the file cannot be read, is larger than 1 MB, is not JSON5, has unknown or invalid
    ///   settings, or settings that conflict.
    public static func read(_ path: String) throws(SettingsError) -> ServeSettings {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { break }
            text += buffer[..<count]
            guard text.count <= maximumBytes else {
                throw SettingsError(faults: ["\(path) is larger than 1 MB; a configuration is not."])
            }
        }
        return try read(text, name: path)
    }

    /// Parses the text of a file.
    package static func read(_ text: [UInt8], name: String) throws(SettingsError) -> ServeSettings {
        let value: JSON5Value
        do {
            value = try JSON5Reader.read(text)
        } catch {
            throw SettingsError(faults: ["\(name):\(error.line):\(error.column): \(error.message)"])
        }
        guard case .object(let members) = value else {
            throw SettingsError(faults: ["\(name) must hold one object: { and the settings }."])
        }
        var settings = ServeSettings()
        var faults = apply(members, to: &settings)
        // Rules between settings are only checked if each setting is valid.
        if faults.isEmpty { faults = SettingsTable.conflicts(in: settings) }
        guard faults.isEmpty else { throw SettingsError(faults: faults.map { "\(name): \($0)" }) }
        return settings
    }

    private static func apply(_ members: [String: JSON5Value], to settings: inout ServeSettings) -> [String] {
        var faults: [String] = []
        var known = SettingsTable.retired
        for setting in SettingsTable.all {
            let parts = setting.path.split(separator: ".").map(String.init)
            known.insert(parts[0])
            var value = members[parts[0]]
            if parts.count > 1 {
                known.insert(setting.path)
                guard case .object(let section)? = value else { continue }
                value = section[parts[1]]
            }
            guard let value, !setting.apply(value, &settings) else { continue }
            faults.append(setting.fault(value, as: setting.path))
        }
        // Sorted by name, since a dictionary has no defined order.
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard known.contains(key) else {
                faults.append(unknown(key))
                continue
            }
            guard SettingsTable.all.allSatisfy({ $0.path != key }) else { continue }
            guard case .object(let section) = value else {
                faults.append("\(key) is \(value.summary); it must be an object: { and its settings }.")
                continue
            }
            for key in section.keys.sorted().map({ "\(key).\($0)" }) where !known.contains(key) {
                faults.append(unknown(key))
            }
        }
        return faults
    }

    /// The error message for an unknown setting, with the one that was likely meant.
    ///
    /// That is the same key in another section, or a key that differs little.
    private static func unknown(_ path: String) -> String {
        let path = String(path.prefix(100))
        let paths = SettingsTable.all.map(\.path)
        let key = path.split(separator: ".").last.map { $0.lowercased() }
        let namesake = paths.first { $0.split(separator: ".").last?.lowercased() == key }
        let sections = paths.compactMap { $0.contains(".") ? $0.split(separator: ".").first.map(String.init) : nil }
        let nearest = namesake ?? nearestCandidate(to: path, in: path.contains(".") ? paths : paths + sections)
        let name = NodeName.isValid(path) ? path : quoted(path)
        return "\(name) is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? ".")
    }

    private static func unreadable(_ path: String) -> SettingsError {
        SettingsError(faults: ["\(path) cannot be read: \(String(cString: strerror(errno)))."])
    }

    private static let maximumBytes = 1 << 20
}
