import Foundation
import HubWire

/// Finds confusable names: written with letters of another script that look the same, in any case.
enum ConfusableNames {
    /// Returns the names that are confusable with a given one.
    ///
    /// - Parameters:
    ///   - name: The name to compare with.
    ///   - names: The existing names.
    /// - Returns: The confusable names in their order, without `name` itself.
    static func of(_ name: String, among names: [String]) -> [String] {
        let skeleton = skeleton(of: name)
        return names.filter { $0 != name && self.skeleton(of: $0) == skeleton }
    }

    /// The canonical form of a name; confusable names have the same one.
    private static func skeleton(of name: String) -> String {
        var skeleton = ""
        for scalar in name.precomposedStringWithCompatibilityMapping.unicodeScalars {
            // Joiners and the like are invisible.
            guard !scalar.properties.isDefaultIgnorableCodePoint else { continue }
            let character = Character(scalar)
            skeleton += (latin[character].map(String.init) ?? scalar.properties.lowercaseMapping)
        }
        return String(skeleton.map { latin[$0] ?? $0 })
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
