/// The reason why a certificate of the hub's own cannot be made or used, in one sentence.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    /// The fault and the remedy, one sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
