import Foundation
import HubWire

/// Names that people take for one another: the same but for capitals, or written with letters of another script that look the same.
enum AlikeNames {
    /// Those of the names that look like another one.
    ///
    /// - Parameters:
    ///   - name: The other one.
    ///   - names: Those that are there.
    /// - Returns: In their order; the name itself is not among them.
    static func of(_ name: String, among names: [String]) -> [String] {
        let shape = shape(of: name)
        return names.filter { $0 != name && self.shape(of: $0) == shape }
    }

    /// What two names that look the same have in common.
    private static func shape(of name: String) -> String {
        var shape = ""
        for scalar in name.precomposedStringWithCompatibilityMapping.unicodeScalars {
            // Joiners and the like are there, but not seen.
            guard !scalar.properties.isDefaultIgnorableCodePoint else { continue }
            let character = Character(scalar)
            shape += (latin[character].map(String.init) ?? scalar.properties.lowercaseMapping)
        }
        return String(shape.map { latin[$0] ?? $0 })
    }

    /// The Latin letter that each letter of Greek and Cyrillic, and each digit, looks like.
    private static let latin: [Character: Character] = {
        var latin: [Character: Character] = [:]
        for (others, looks) in [
            // Cyrillic, capitals first; then Greek.
            ("АВЕЅІЈКМНОРСТУХԌԚԜҺ", "abesijkmhopctyxgqwh"), ("авеѕіјкмнорстухԍԛԝһԁӏѵ", "abesijkmhopctyxgqwhdlv"),
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc"), ("αβεηικνορτυχγωϲϳ", "abenikvoptuxywcj"), ("01", "ol"),
        ] {
            for (other, look) in zip(others, looks) { latin[other] = look }
        }
        return latin
    }()
}
