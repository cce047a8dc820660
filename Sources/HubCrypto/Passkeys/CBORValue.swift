/// A value of CBOR (RFC 8949), of the kinds that WebAuthn's structures have.
enum CBORValue: Hashable {
    /// A number of 0 or more.
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case flag(Bool)
    case null

    /// Makes the value of a number, as labels of COSE have it.
    init(_ number: Int) { self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number)) }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var map: [CBORValue: CBORValue]? { if case .map(let members) = self { members } else { nil } }
}

/// A reason to reject bytes as CBOR.
enum CBORError: Error, Hashable {
    /// The bytes end within a value.
    case truncated
    /// Bytes follow the value.
    case trailingBytes
    /// A tag, a floating-point number, an indefinite length or a simple value that is none of false, true and null.
    case unsupported
    /// A number or a length that is not in its shortest form.
    case notShortest
    /// More levels than ``CBORReader/maximumDepth``.
    case tooDeep
    /// A map with the same key twice.
    case duplicateKey
    /// A text that is not UTF-8.
    case notUTF8
}
