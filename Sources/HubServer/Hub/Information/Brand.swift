/// The name, the colour and the logo by which the users of a server recognise it.
public struct Brand: Sendable, Equatable {
    /// An image file.
    public struct Logo: Sendable, Equatable {
        /// The whole Content-Type value.
        public let contentType: String
        /// The content of the file.
        public let bytes: [UInt8]
    }

    /// The name; nil: CallHub's.
    public var name: String?
    /// The colour, `#rrggbb`; nil: the phone's own.
    public var color: String?
    /// The logo; nil: the phone's own.
    public var logo: Logo?

    /// Creates an empty brand: all is the phone's own.
    public init() {}
}

extension Brand.Logo {
    /// The maximum size of a logo in bytes.
    ///
    /// More: larger images; each page before a sign-in takes longer to load.
    public static let maximumBytes = 65_536

    /// Recognises the content of a file.
    ///
    /// - Parameter bytes: The content of a PNG or SVG file; nil is returned for any other.
    public init?(_ bytes: [UInt8]) {
        guard (1...Self.maximumBytes).contains(bytes.count) else { return nil }
        if bytes.starts(with: Self.signatureOfPNG) {
            contentType = "image/png"
        } else if Self.isSVG(bytes) {
            contentType = "image/svg+xml"
        } else {
            return nil
        }
        self.bytes = bytes
    }

    private static let signatureOfPNG: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Indicates that a text in UTF-8 is XML with `svg` as its first element.
    private static func isSVG(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            rest = rest.drop { $0.properties.isWhitespace }
            guard rest.first == "<" else { return false }
            let name = Substring(rest.dropFirst())
            if name.hasPrefix("svg") { return name.dropFirst(3).first.map { " \t\r\n>/".contains($0) } ?? false }
            guard let end = end(of: name) else { return false }
            rest = name.unicodeScalars[end...]
        }
    }

    /// Finds the end of a comment, a declaration or an instruction before the first element.
    private static func end(of markup: Substring) -> Substring.Index? {
        if markup.hasPrefix("!--") { return markup.firstRange(of: "-->")?.upperBound }
        if markup.hasPrefix("?") { return markup.firstRange(of: "?>")?.upperBound }
        return markup.hasPrefix("!DOCTYPE") ? markup.firstRange(of: ">")?.upperBound : nil
    }
}
