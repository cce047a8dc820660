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
        for setting in SettingsTable.all {
            guard let value = value(at: setting.path.split(separator: ".")[...], in: members),
                !setting.apply(value, &settings)
            else { continue }
            faults.append(setting.fault(value, as: setting.path))
        }
        return faults + unknownSettings(in: members, section: "")
    }

    /// The value at a path of keys; nil: there is none, or one of its sections is no object.
    private static func value(at path: ArraySlice<Substring>, in members: [String: JSON5Value]) -> JSON5Value? {
        guard let key = path.first, let value = members[String(key)] else { return nil }
        let rest = path.dropFirst()
        guard !rest.isEmpty else { return value }
        guard case .object(let section) = value else { return nil }
        return self.value(at: rest, in: section)
    }

    /// The faults of the keys that are no settings, and of sections that are no objects.
    private static func unknownSettings(in members: [String: JSON5Value], section: String) -> [String] {
        // Sorted by name, since a dictionary has no defined order.
        members.sorted { $0.key < $1.key }.flatMap { key, value in
            let path = section + key
            let isSetting = SettingsTable.all.contains { $0.path == path } || SettingsTable.retired.contains(path)
            let isSection = SettingsTable.all.contains { $0.path.hasPrefix(path + ".") }
            guard !key.contains(".") else {
                return ["\(quoted(key)) is one key with a dot in it; write a section, as in tls: {own: true}."]
            }
            guard isSetting || isSection else { return [unknown(path)] }
            guard isSection else { return [] }
            guard case .object(let members) = value else {
                return ["\(path) is \(value.summary); it must be an object: { and its settings }."]
            }
            return unknownSettings(in: members, section: path + ".")
        }
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
