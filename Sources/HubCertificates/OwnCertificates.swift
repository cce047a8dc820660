package import Foundation

/// The certificates that a hub makes itself, in the folder `certificates` of its data directory.
///
/// `authority.key` and `authority.crt` are never replaced; `hub.pem` is the certificate that clients see, with its key.
package struct OwnCertificates: Sendable {
    /// The authority.
    package let authority: CertificateAuthority
    /// The certificate for clients.
    package private(set) var leaf: LeafCertificate

    private let files: Files
    /// The text of the leaf's file when it was last read or written; nil: there was none.
    private var fileText: String?
    /// The names that the certificate was last compared with; nil: none.
    private var names: Set<SubjectName>?

    /// A change of the certificate, and the faults found on the way.
    package struct Update: Sendable {
        /// The certificate, if it has changed.
        package var leaf: LeafCertificate?
        /// The faults that an operator is to be told, a sentence each.
        package var faults: [String] = []
    }

    /// The files in the folder.
    struct Files {
        let folder: String
        let authorityKey: CertificateFile
        let authority: CertificateFile
        let leaf: CertificateFile

        /// The files to remove for a new authority, in a sentence; others in the folder stay.
        var ofAuthority: String { "authority.key, authority.crt and hub.pem in \(folder)" }

        init(folder: String, calls: CertificateFile.Calls = CertificateFile.Calls()) {
            self.folder = folder
            authorityKey = CertificateFile(path: folder + "/authority.key", readers: .owner, calls: calls)
            authority = CertificateFile(path: folder + "/authority.crt", readers: .everybody, calls: calls)
            leaf = CertificateFile(path: folder + "/hub.pem", readers: .owner, calls: calls)
        }
    }

    /// Opens the certificates of a data directory, and makes those that are missing.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - host: The name of the machine, for the authority's own.
    ///   - names: The names and addresses of the hub.
    ///   - now: The time by the machine's clock.
    /// - Returns: The certificates, and the faults that do not prevent their use.
    /// - Throws: ``CertificateError`` if a file is damaged, may be read by others or cannot be written, if the key is
    ///   not the authority's, or if the authority has to be made while the clock is not set.
    package static func open(
        in directory: String,
        host: String,
        names: [SubjectName],
        at now: Date
    ) throws(CertificateError) -> (certificates: OwnCertificates, update: Update) {
        try open(Files(folder: folder(in: directory)), host: host, names: names, at: now)
    }

    /// The folder in a data directory.
    package static func folder(in directory: String) -> String { directory + "/certificates" }

    static func open(
        _ files: Files,
        host: String,
        names: [SubjectName],
        at now: Date
    ) throws(CertificateError) -> (certificates: OwnCertificates, update: Update) {
        try makeFolder(files.folder)
        let authority = try authority(files, host: host, names: names, at: now)
        let text = try files.leaf.read()
        let stored = text.flatMap { LeafCertificate.read($0, of: authority) }
        let first: LeafCertificate
        if let stored {
            first = stored
        } else {
            first = try LeafCertificate.issue(for: .given(permitted(names, by: authority)), by: authority, at: now)
        }
        var certificates = OwnCertificates(authority: authority, leaf: first, files: files)
        certificates.fileText = text
        var update = certificates.update(names: names, at: now)
        update.leaf = certificates.leaf
        return (certificates, update)
    }

    private init(authority: CertificateAuthority, leaf: LeafCertificate, files: Files) {
        self.authority = authority
        self.leaf = leaf
        self.files = files
    }

    /// Reads the certificates of a data directory, without their keys.
    ///
    /// - Parameter directory: The data directory.
    /// - Returns: The authority's and the one that clients see; nil: the hub has made none.
    /// - Throws: ``CertificateError`` if a file cannot be read, or is damaged.
    package static func read(
        in directory: String
    ) throws(CertificateError) -> (authority: Certificate, leaf: Certificate?)? {
        let files = Files(folder: folder(in: directory))
        guard let authority = try certificate(files.authority) else { return nil }
        let leaf = CertificateFile(path: files.leaf.path, readers: .everybody)
        return (authority, try leaf.read().flatMap { Certificate.read($0) })
    }

    /// Replaces the certificate for clients by a new one, with another key and the same names.
    ///
    /// A running hub takes it within a minute.
    ///
    /// - Parameters:
    ///   - directory: The data directory.
    ///   - now: The time by the machine's clock.
    /// - Returns: The new certificate; nil: the hub has made none that could be renewed.
    /// - Throws: ``CertificateError`` as `open`, and if the file cannot be written.
    package static func renew(in directory: String, at now: Date) throws(CertificateError) -> Certificate? {
        let files = Files(folder: folder(in: directory))
        guard try certificate(files.authority) != nil, let text = try files.leaf.read() else { return nil }
        let authority = try authority(files, host: "", names: [], at: now)
        guard let earlier = LeafCertificate.read(text, of: authority) else { return nil }
        let leaf = try LeafCertificate.issue(for: .same(as: earlier.certificate), by: authority, at: now)
        _ = try files.leaf.write(leaf.text, existing: .replaced)
        return leaf.certificate
    }

    // MARK: Updates

    /// Takes a certificate that another process has written, and replaces one that is due or for other names.
    ///
    /// A new certificate is used also if the disk has no room for it.
    ///
    /// - Parameters:
    ///   - names: The present names and addresses of the hub.
    ///   - now: The time by the machine's clock.
    /// - Returns: The certificate if it has changed, and faults.
    package mutating func update(names: [SubjectName], at now: Date) -> Update {
        var update = Update()
        update.faults += [clockFault(at: now)].compactMap(\.self)
        do throws(CertificateError) {
            let text = try files.leaf.read()
            if text != fileText, let stored = text.flatMap({ LeafCertificate.read($0, of: authority) }),
                stored.text != leaf.text
            {
                (leaf, update.leaf) = (stored, stored)
                self.names = nil
            }
            fileText = text
        } catch {
            // The file stays as it is, until a new certificate takes its place.
            fileText = leaf.text
            update.faults.append(error.description)
        }
        do throws(CertificateError) {
            if let next = try replacement(for: names, at: now, &update.faults) { (leaf, update.leaf) = (next, next) }
            if fileText != leaf.text {
                _ = try files.leaf.write(leaf.text, existing: .replaced)
                fileText = leaf.text
            }
        } catch {
            update.faults.append(error.description)
        }
        return update
    }

    private mutating func replacement(
        for names: [SubjectName],
        at now: Date,
        _ faults: inout [String]
    ) throws(CertificateError) -> LeafCertificate? {
        let isDue = leaf.isDue(at: now, within: authority.certificate)
        let isKnown = self.names == Set(names)
        guard isDue || !isKnown else { return nil }
        let (permitted, others) = authority.divide(names)
        if !isKnown, !others.isEmpty { faults.append(Self.sentence(on: others, files)) }
        self.names = Set(names)
        guard !permitted.isEmpty else { return nil }
        let next = try LeafCertificate.issue(for: .given(permitted), by: authority, at: now)
        return isDue || !leaf.certificate.hasNames(of: next.certificate) ? next : nil
    }

    private static func permitted(
        _ names: [SubjectName],
        by authority: CertificateAuthority
    ) throws(CertificateError) -> [SubjectName] {
        let permitted = authority.divide(names).permitted
        guard permitted.isEmpty else { return permitted }
        throw CertificateError(
            "the certificate authority \(authority.certificate.commonName) permits none of the hub's names: "
                + "\(names.sorted().map(\.text).joined(separator: ", "))."
        )
    }

    private static func sentence(on others: [SubjectName], _ files: Files) -> String {
        "the certificate is not valid for \(others.map(\.text).joined(separator: ", ")), which the hub's authority was "
            + "not made for; to change that, remove \(files.ofAuthority) for a new authority, to be trusted by each device."
    }

    private func clockFault(at now: Date) -> String? {
        let certificate = authority.certificate
        if now < certificate.begins {
            return "the clock shows \(now.day), before the hub's certificate authority was made; set the clock."
        }
        guard now > certificate.ends else { return nil }
        return "the hub's certificate authority has ended on \(certificate.ends.day); if the clock is right, remove "
            + "\(files.ofAuthority) for a new authority, to be trusted by each device."
    }
}
