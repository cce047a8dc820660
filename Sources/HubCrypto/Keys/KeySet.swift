/// The keys that verify tokens, from a JWKS document (RFC 7517).
///
/// A key for another purpose (encryption, another curve) is ignored, as section 5 of the RFC requires; a broken
/// or dangerous one causes the whole document to be rejected, since a warning about an accepted file goes unread.
public struct KeySet: Sendable {
    /// A sentence for each ignored key, for the log.
    public private(set) var ignored: [String] = []

    private(set) var keys: [VerificationKey] = []
    private var indexByID: [[UInt8]: Int] = [:]

    /// The longest accepted document, in bytes.
    ///
    /// More: room for more keys than any issuer has; less: might reject one whose keys carry their certificates.
    public static let maximumBytes = 1 << 20

    /// Parses a document.
    ///
    /// - Throws: ``KeySetError`` with the first error and its place.
    public init(_ document: [UInt8]) throws(KeySetError) {
        guard document.count <= Self.maximumBytes else {
            throw KeySetError("The key set has \(document.count) bytes; it must have \(Self.maximumBytes) at most.")
        }
        for (index, element) in try Self.elements(of: document).enumerated() {
            switch try JWK(element, index: index).parsed() {
            case .key(let key): try add(key, index: index)
            case .ignored(let sentence): ignored.append(sentence)
            }
        }
        guard !keys.isEmpty else {
            let reason = ignored.first.map { " (\($0))" } ?? ""
            throw KeySetError(
                "The key set has no key for HS256, RS256, ES256 or EdDSA; it must have one at least\(reason)."
            )
        }
    }

    /// One line for each key, for the log: name and algorithm.
    public var summary: [String] {
        keys.map { "\($0.id.map(quoted) ?? "a key without kid"), \($0.algorithm.rawValue)" }
    }

    /// Returns the key with a name, which is compared byte by byte.
    func key(named name: String) -> VerificationKey? {
        indexByID[Array(name.utf8)].flatMap { keys.indices.contains($0) ? keys[$0] : nil }
    }

    private static func elements(of document: [UInt8]) throws(KeySetError) -> [JSONValue] {
        do {
            guard let keys = try JSONReader.value(of: document).object?["keys"]?.array else {
                throw KeySetError("The key set must be a JSON object whose member \"keys\" is an array of keys.")
            }
            return keys
        } catch let fault as JSONError {
            throw KeySetError("The key set \(fault.reason).")
        } catch let fault as KeySetError {
            throw fault
        } catch {
            throw KeySetError("The key set cannot be read.")
        }
    }

    private mutating func add(_ key: VerificationKey, index: Int) throws(KeySetError) {
        if let id = key.id, indexByID.updateValue(keys.count, forKey: Array(id.utf8)) != nil {
            throw KeySetError("keys[\(index)] has the kid \(quoted(id)) of a key before it; each must have its own.")
        }
        keys.append(key)
    }
}

/// An error in a key set, as one sentence that names the place.
public struct KeySetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ sentence: String) { description = sentence }
}
