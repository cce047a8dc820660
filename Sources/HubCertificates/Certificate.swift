import COpenSSL
package import Foundation

/// An X.509 certificate.
///
/// Safe on any thread: the certificate is immutable, and OpenSSL locks its internal caches.
package final class Certificate: @unchecked Sendable {
    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit {
        hub_x509_free(pointer)
    }

    /// Reads the first certificate of a text in PEM; nil if there is none.
    package static func read(_ pem: String) -> Certificate? {
        hub_x509_of_pem(pem, Int32(clamping: pem.utf8.count)).map(Certificate.init(owning:))
    }

    /// The kind of a certificate that is to be made.
    enum Kind {
        /// An authority that signs itself, with its constraints.
        case authority(NameConstraints)
        /// A server's, for these names, signed by an authority.
        case server([SubjectName], by: Certificate, PrivateKey)
        /// A server's, for the names of another certificate.
        case successor(of: Certificate, by: Certificate, PrivateKey)
    }

    /// The first and the last second of a certificate's validity; the last one may be earlier in a faulty file.
    typealias Validity = (begin: Date, end: Date)

    /// Makes and signs a certificate; nil if OpenSSL refuses, for want of memory or for a time beyond year 9999.
    ///
    /// - Parameters:
    ///   - kind: An authority's or a server's.
    ///   - key: The key of the certificate.
    ///   - name: The common name of its subject, of at most 64 characters.
    ///   - validity: Its validity.
    /// - Returns: The certificate.
    static func make(_ kind: Kind, key: PrivateKey, name: String, validity: Validity) -> Certificate? {
        guard let begin = validity.begin.wholeSeconds, let end = validity.end.wholeSeconds else { return nil }
        var order = hub_x509_order()
        order.key = key.pointer
        order.not_before = begin
        order.not_after = end
        return name.withCString { name in
            order.common_name = name
            switch kind {
            case .authority(let constraints):
                return constraints.text.withCString { text in
                    order.constraints = text
                    return hub_x509_make(&order).map(Certificate.init(owning:))
                }
            case .server(let names, let issuer, let issuerKey):
                order.issuer = issuer.pointer
                order.issuer_key = issuerKey.pointer
                return names.map(\.entry).joined(separator: ",").withCString { text in
                    order.alternative_names = text
                    return hub_x509_make(&order).map(Certificate.init(owning:))
                }
            case .successor(let certificate, let issuer, let issuerKey):
                order.issuer = issuer.pointer
                order.issuer_key = issuerKey.pointer
                order.names_of = certificate.pointer
                return hub_x509_make(&order).map(Certificate.init(owning:))
            }
        }
    }

    // MARK: Properties

    /// The certificate in PEM; nil if OpenSSL has no memory.
    package var pem: String? {
        guard let text = hub_x509_pem(pointer) else { return nil }
        defer { hub_pem_free(text) }
        return String(cString: text)
    }

    /// The certificate in DER, as devices import it; empty if OpenSSL has no memory.
    package var der: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(hub_x509_der(pointer, nil)))
        return Int(hub_x509_der(pointer, &bytes)) == bytes.count ? bytes : []
    }

    /// The SHA-256 of the certificate as browsers show it: `AB:CD:…`, 32 pairs of digits.
    package var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard hub_x509_digest(pointer, &digest) == 1 else { return "" }
        return digest.map { hexadecimal($0).uppercased() }.joined(separator: ":")
    }

    /// The common name of the subject.
    package var commonName: String { name(hub_x509_common_name) }

    /// The common name of the issuer, or its organization; empty if it has neither.
    package var issuerName: String { name(hub_x509_issuer_name) }

    private func name(_ read: (OpaquePointer, UnsafeMutablePointer<CChar>, Int32) -> Int32) -> String {
        var text = [CChar](repeating: 0, count: 256)
        let count = Int(read(pointer, &text, Int32(text.count)))
        return String(decoding: text.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The host names and addresses (subject alternative names).
    package var names: [SubjectName] {
        guard let text = hub_x509_names(pointer) else { return [] }
        defer { hub_pem_free(text) }
        return String(cString: text).split(separator: ", ").compactMap { entry in
            entry.firstIndex(of: ":").flatMap { SubjectName(entry[entry.index(after: $0)...]) }
        }
    }

    /// The beginning of the validity (notBefore).
    package var begins: Date { Date(timeIntervalSince1970: TimeInterval(hub_x509_begins(pointer))) }

    /// The end of the validity (notAfter).
    package var ends: Date { Date(timeIntervalSince1970: TimeInterval(hub_x509_ends(pointer))) }

    /// The validity.
    var validity: Validity { (begins, ends) }

    // MARK: Relations

    /// Indicates that a key is the certificate's own.
    func hasKey(_ key: PrivateKey) -> Bool { hub_x509_has_key(pointer, key.pointer) == 1 }

    /// Indicates that the certificate is an authority's, and signed by itself.
    var isAuthority: Bool { hub_x509_is_authority(pointer) == 1 }

    /// Indicates that this authority has signed a certificate.
    func hasIssued(_ certificate: Certificate) -> Bool { hub_x509_issued(pointer, certificate.pointer) == 1 }

    /// Indicates that the name constraints of this authority permit all names of a certificate.
    func permits(_ certificate: Certificate) -> Bool { hub_x509_permits(pointer, certificate.pointer) == 1 }

    /// Indicates that another certificate is for the same names and addresses.
    func hasNames(of other: Certificate) -> Bool { hub_x509_has_names_of(pointer, other.pointer) == 1 }
}

extension Date {
    /// The seconds since 1970, rounded down; nil for a time beyond the year 9999, for which ASN.1 has no digits.
    fileprivate var wholeSeconds: Int64? {
        Int64(exactly: timeIntervalSince1970.rounded(.down)).flatMap { $0 < 253_402_300_800 ? $0 : nil }
    }
}
