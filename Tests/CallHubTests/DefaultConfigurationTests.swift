import Foundation
import Testing

@testable import HubConfiguration

/// The file that lists all settings.
let defaultConfiguration = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("config/callhub.json5")

/// The file `config/callhub.json5`, which must contain every setting with the default of the code.
struct DefaultConfigurationTests {
    @Test func `the default configuration file is valid`() throws {
        _ = try ConfigurationFile.read(defaultConfiguration.path)
    }

    @Test func `it lists every setting with the default of the code`() throws {
        guard case .object(let members) = try JSON5Reader.read(Array(Data(contentsOf: defaultConfiguration))) else {
            Issue.record("it is no object")
            return
        }
        for setting in SettingsTable.all {
            var value: JSON5Value? = .object(members)
            for key in setting.path.split(separator: ".") {
                guard case .object(let section)? = value else { break }
                value = section[String(key)]
            }
            #expect(value == setting.value(ServeSettings()), "\(setting.path)")
        }
    }

    @Test func `it follows the order of the settings table, with a comment above each key`() throws {
        let lines = try String(contentsOf: defaultConfiguration, encoding: .utf8).split(separator: "\n")
        var sections: [String] = []
        var paths: [String] = []
        for (line, before) in zip(lines.dropFirst(), lines) {
            let words = line.trimmingCharacters(in: .whitespaces)
            if let match = words.wholeMatch(of: #/([A-Za-z]+): \{/#) {
                sections.append(String(match.1))
            } else if words == "}," {
                sections.removeLast()
            } else if let match = words.prefixMatch(of: #/([A-Za-z]+): /#) {
                let path = (sections + [String(match.1)]).joined(separator: ".")
                paths.append(path)
                #expect(before.contains("  // "), "\(path)")
            }
        }
        #expect(paths == SettingsTable.all.map(\.path))
    }
}
