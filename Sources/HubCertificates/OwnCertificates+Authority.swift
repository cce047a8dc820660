import Foundation

/// The making and reading of a hub's certificate authority.
extension OwnCertificates {
    static func makeFolder(_ folder: String) throws(CertificateError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw CertificateError("\(folder) cannot be created: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CertificateError("\(folder) is no folder; remove it.")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw CertificateError(
                "others may write in \(folder), and replace the keys in it; make it user \(geteuid())'s, by chmod 700."
            )
        }
    }

    static func certificate(_ file: CertificateFile) throws(CertificateError) -> Certificate? {
        guard let text = try file.read() else { return nil }
        guard let certificate = Certificate.read(text), certificate.isAuthority else {
            throw CertificateError("\(file.path) holds no certificate authority; restore it from a backup.")
        }
        return certificate
    }

    static func authority(
        _ files: Files,
        host: String,
        names: [SubjectName],
        at now: Date
    ) throws(CertificateError) -> CertificateAuthority {
        guard let certificate = try certificate(files.authority) else {
            // A key without its certificate: its making was interrupted, or another hub is in the middle of it.
            let key = try key(files.authorityKey)
            let made = try CertificateAuthority.make(host: host, names: names, key: key ?? .generate(), at: now)
            try store(made, files, writesKey: key == nil)
            return try authority(files, host: host, names: names, at: now)
        }
        guard let key = try key(files.authorityKey) else {
            throw CertificateError(
                "\(files.authorityKey.path) is missing; restore it from a backup, or remove \(files.authority.path), "
                    + "too, for a new authority, to be trusted by each device."
            )
        }
        guard certificate.hasKey(key) else {
            throw CertificateError(
                "\(files.authorityKey.path) is not the key of \(files.authority.path); restore both from one backup."
            )
        }
        return CertificateAuthority(certificate: certificate, key: key)
    }

    private static func key(_ file: CertificateFile) throws(CertificateError) -> PrivateKey? {
        guard let text = try file.read() else { return nil }
        guard let key = PrivateKey.read(text) else {
            throw CertificateError("\(file.path) holds no private key; restore it from a backup.")
        }
        return key
    }

    /// Writes the key first: a certificate is there only if its key is.
    private static func store(
        _ authority: CertificateAuthority,
        _ files: Files,
        writesKey: Bool
    ) throws(CertificateError) {
        guard let key = authority.key.pem, let text = authority.certificate.pem else {
            throw CertificateAuthority.outOfMemory
        }
        // If another hub was faster, its files count.
        if writesKey, try !files.authorityKey.write(key, existing: .kept) { return }
        _ = try files.authority.write(text, existing: .kept)
    }
}
