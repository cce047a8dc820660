/// The keys that verify tokens, from a JWKS document (RFC 7517).
///
/// A key for another purpose (RSA, encryption, another curve) is ignored, as section 5 of the RFC requires; a broken
/// or dangerous one causes the whole document to be rejected, since a warning about an accepted file goes unread.
public struct KeySet: Sendable {
    /// A sentence for each ignored key, for the log.
    public private(set) var passedOver: [String] = []

    private(set) var keys: [VerificationKey] = []
    private var places: [[UInt8]: Int] = [:]

    /// The longest accepted document, in bytes.
    ///
    /// More: room for more keys than any issuer has; less: might reject one whose keys carry their certificates.
    public static let maximumBytes = 1 << 20

    /// Parses a document.
    ///
    /// - Throws: ``KeySetFault`` with the first error and its place.
    public init(_ document: [UInt8]) throws(KeySetFault) {
        guard document.count <= Self.maximumBytes else {
            throw KeySetFault("The key set has \(document.count) bytes; it must have \(Self.maximumBytes) at most.")
        }
        for (index, element) in try Self.elements(of: document).enumerated() {
            switch try JWK(element, index: index).reading() {
            case .key(let key): try add(key, index: index)
            case .passedOver(let sentence): passedOver.append(sentence)
            }
        }
        guard !keys.isEmpty else {
            let reason = passedOver.first.map { " (\($0))" } ?? ""
            throw KeySetFault("The key set has no key for HS256, ES256 or EdDSA; it must have one at least\(reason).")
        }
    }

    /// One line for each key, for the log: name and algorithm.
    public var summary: [String] {
        keys.map { "\($0.id.map(quoted) ?? "a key without kid"), \($0.algorithm.rawValue)" }
    }

    /// Returns the key with a name, which is compared byte by byte.
    func key(named name: String) -> VerificationKey? {
        places[Array(name.utf8)].flatMap { keys.indices.contains($0) ? keys[$0] : nil }
    }

    private static func elements(of document: [UInt8]) throws(KeySetFault) -> [JSONValue] {
        do {
            guard let keys = try JSONReader.value(of: document).object?["keys"]?.array else {
                throw KeySetFault("The key set must be a JSON object whose member \"keys\" is an array of keys.")
            }
            return keys
        } catch let fault as JSONFault {
            throw KeySetFault("The key set \(fault.reason).")
        } catch let fault as KeySetFault {
            throw fault
        } catch {
            throw KeySetFault("The key set cannot be read.")
        }
    }

    private mutating func add(_ key: VerificationKey, index: Int) throws(KeySetFault) {
        if let id = key.id, places.updateValue(keys.count, forKey: Array(id.utf8)) != nil {
            throw KeySetFault("keys[\(index)] has the kid \(quoted(id)) of a key before it; each must have its own.")
        }
        keys.append(key)
    }
}

/// An error in a key set, as one sentence that names the place.
public struct KeySetFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ sentence: String) { description = sentence }
}
