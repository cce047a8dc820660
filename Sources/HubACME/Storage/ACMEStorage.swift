import Foundation
import HubCrypto
import HubWire

/// The folder of an ACME client: `account.key`, `state.json` and `certificate.pem`, which has the key and the chain.
///
/// Key and chain are one file, since two could not be replaced at the same time.
public struct ACMEStorage: Hashable, Sendable {
    /// The path of the folder, which is created if it is missing, with those it is in.
    public let folder: String

    /// Names a folder, for instance `certificates/acme` in the data directory.
    public init(folder: String) { self.folder = folder }

    private var accountKeyPath: String { folder + "/account.key" }
    var statePath: String { folder + "/state.json" }
    var certificatePath: String { folder + "/certificate.pem" }

    /// Creates the folder if it is missing.
    func prepare() throws(ACMEFailure) { try WholeFile.makeFolder(folder) }

    // MARK: Account

    /// Reads the account's key, which is made and stored the first time.
    ///
    /// - Parameter note: Called with a sentence about a damaged file that was replaced.
    /// - Returns: The key, P-256.
    /// - Throws: `ACMEFailure.storage` if a file cannot be read or written.
    func accountKey(_ note: (String) -> Void) throws(ACMEFailure) -> SigningKey {
        if let bytes = try WholeFile.read(accountKeyPath) {
            let stored = PEM.bytes(of: String(decoding: bytes, as: UTF8.self), label: "PRIVATE KEY")
            if let key = stored.flatMap(SigningKey.init(stored:)), key.algorithm == .es256 { return key }
            let aside = WholeFile.setAside(accountKeyPath)
            note("\(accountKeyPath) is no P-256 key; it is kept as \(aside), and a new account is made.")
        }
        guard let key = SigningKey.generate(.es256) else { throw .noMemory }
        try WholeFile.write(Array(PEM.text(of: key.stored, label: "PRIVATE KEY").utf8), to: accountKeyPath)
        return key
    }

    // MARK: State

    /// Reads the state.
    ///
    /// - Parameters:
    ///   - directory: The URL of the server's directory.
    ///   - note: Called with a sentence about a damaged file that was replaced.
    /// - Returns: The stored state; a fresh one if there is none for the directory.
    /// - Throws: `ACMEFailure.storage` if a file cannot be read or written.
    func state(for directory: String, _ note: (String) -> Void) throws(ACMEFailure) -> ACMEState {
        guard let bytes = try WholeFile.read(statePath) else { return ACMEState(directory: directory) }
        guard let state = try? JSONDecoder().decode(ACMEState.self, from: Data(bytes)) else {
            let aside = WholeFile.setAside(statePath)
            note("\(statePath) is damaged; it is kept as \(aside), and the order begins again.")
            return ACMEState(directory: directory)
        }
        guard state.directory != directory else { return state }
        var fresh = ACMEState(directory: directory)
        (fresh.issuer, fresh.received) = (state.issuer, state.received)
        return fresh
    }

    func store(_ state: ACMEState) throws(ACMEFailure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(state) else { throw .noMemory }
        try WholeFile.write(Array(data), to: statePath)
    }

    // MARK: Certificate

    /// Reads the certificate, of whatever names.
    ///
    /// - Parameter note: Called with a sentence about a damaged file.
    /// - Returns: The certificate; nil if there is none.
    /// - Throws: `ACMEFailure.storage` if a file cannot be read or written.
    func certificate(_ note: (String) -> Void) throws(ACMEFailure) -> IssuedCertificate? {
        guard let bytes = try WholeFile.read(certificatePath) else { return nil }
        if let certificate = Self.certificate(in: bytes) { return certificate }
        let aside = WholeFile.setAside(certificatePath)
        note("\(certificatePath) is damaged; it is kept as \(aside), and a new certificate is ordered.")
        return nil
    }

    /// Decodes the content of the certificate's file; nil if it is damaged.
    static func certificate(in bytes: [UInt8]) -> IssuedCertificate? {
        let key = PEM.bytes(of: String(decoding: bytes, as: UTF8.self), label: "PRIVATE KEY")
        return key.flatMap { try? IssuedCertificate(chain: bytes, key: $0, domains: []) }
    }

    func store(_ certificate: IssuedCertificate) throws(ACMEFailure) {
        try WholeFile.write(Array((certificate.key + certificate.chain).utf8), to: certificatePath)
    }
}
