import Foundation
package import HubServer
import HubWire

/// The settings of the brand that users see.
public struct BrandSettings: Sendable, Equatable {
    /// The name; nil: CallHub's.
    public var name: String?
    /// The colour, `#rrggbb`; nil: the phone's own.
    public var color: String?
    /// The path of the logo, a PNG or SVG file; nil: the phone's own.
    public var logo: String?

    /// Creates an empty brand: all is the phone's own.
    public init() {}

    /// Reads the logo.
    ///
    /// - Returns: The brand.
    /// - Throws: `ServeError` if the file cannot be read, is too large, or is neither PNG nor SVG.
    package func load() throws(ServeError) -> Brand {
        var brand = Brand()
        brand.name = name
        brand.color = color
        brand.logo = try logo.map { path throws(ServeError) in try Self.logo(at: path) }
        return brand
    }

    private static func logo(at path: String) throws(ServeError) -> Brand.Logo {
        let limit = Brand.Logo.maximumBytes
        // A device or a pipe would block, or never end.
        let attributes = try? FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: limit + 1) ?? Data()
        else { throw ServeError("brand.logo: \(path) cannot be read; it must be a PNG or SVG file.") }
        guard data.count <= limit else {
            throw ServeError("brand.logo: \(path) is larger than 64 kB; it must have at most \(limit) bytes.")
        }
        guard let logo = Brand.Logo([UInt8](data)) else {
            throw ServeError("brand.logo: the content of \(path) is no image; it must be a PNG or SVG file.")
        }
        return logo
    }

    /// The valid names, as the end of "it must be …".
    static let nameRule = "1 to 64 visible characters"

    /// Indicates that a name is neither too long nor hides characters.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.unicodeScalars.count) && text.unicodeScalars.allSatisfy(isVisible)
            && text.unicodeScalars.contains {
                !$0.properties.isWhitespace && !$0.properties.isDefaultIgnorableCodePoint
            }
    }

    /// The valid colours, as the end of "it must be …".
    static let colorRule = "a colour such as \"#1a7f5a\": # and six hexadecimal digits"

    /// Indicates that a text is a colour.
    static func isColor(_ text: String) -> Bool { text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil }
}
