import CQREncode

/// A QR code (ISO/IEC 18004): a square of dark and light modules that a camera reads as text.
public struct QRCode: Sendable, Equatable {
    /// The number of modules of a side, without the quiet zone: 21 to 177.
    public let size: Int

    /// The modules, row by row from the top left; true: dark.
    private let modules: [Bool]

    /// Encodes a text in UTF-8, with error correction of the level M (15 %), in the smallest symbol that holds it.
    ///
    /// - Parameter text: The text; nil is returned for an empty one, and for more than 2,331 bytes.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard (1...Self.maximumBytes).contains(bytes.count),
            let symbol = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(symbol) }
        let width = Int(symbol.pointee.width)
        guard (1...177).contains(width), let data = symbol.pointee.data else { return nil }
        size = width
        // The lowest bit is the colour; the others say what the module belongs to.
        modules = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// The maximum length of a text in bytes: that of the largest symbol (version 40) at the level M.
    public static let maximumBytes = 2_331

    /// The width of the light border that readers need on each side, in modules (ISO/IEC 18004 section 9.1).
    public static let quietZone = 4

    /// Indicates that a module is dark; the quiet zone, and all beyond it, is light.
    public func isDark(row: Int, column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row * size + column]
    }

    /// The modules as bits, row by row without padding between rows, the first one in the highest bit; 1: dark.
    public var bits: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (modules.count + 7) / 8)
        for (index, isDark) in modules.enumerated() where isDark { bytes[index / 8] |= 0x80 >> UInt8(index % 8) }
        return bytes
    }
}
