import COpenSSL
import Foundation
import HubACME
import HubTestSupport
import Testing

/// The hub's side of challenges: answers validations from a store, as ports 80 and 443 of a hub do.
final class ChallengeServer: Sendable {
    let http: TestListener
    let tls: TestListener

    /// Listens on two free ports.
    ///
    /// - Parameters:
    ///   - store: The store with the answers.
    ///   - name: The name whose certificate handshakes get.
    ///   - folder: The folder for the certificates.
    ///   - asked: Called before each answer of http-01.
    /// - Throws: An error if there is no free port.
    init(
        _ store: ChallengeStore,
        for name: String,
        in folder: TemporaryFolder,
        asked: @escaping @Sendable () -> Void = {}
    ) throws {
        http = try TestListener { connection in
            var request: [UInt8] = []
            while !request.contains(where: { $0 == 10 }) {
                let more = connection.read()
                guard !more.isEmpty else { return }
                request += more
            }
            asked()
            let path = String(decoding: request, as: UTF8.self).split(separator: " ").dropFirst().first ?? ""
            let token = path.replacing("/.well-known/acme-challenge/", with: "", maxReplacements: 1)
            let answer = store.httpAnswer(forToken: String(token))
            let head = answer == nil ? "404 Not Found" : "200 OK"
            connection.write(Array("HTTP/1.0 \(head)\r\n\r\n\(answer ?? "")".utf8))
        }
        tls = try TestListener(context: {
            guard let pair = store.alpnCertificate(forName: name),
                let certificate = try? folder.write(pair.certificate, to: "challenge.crt"),
                let key = try? folder.write(pair.key, to: "challenge.key")
            else { return nil }
            return TLSContext.make(certificate: certificate, key: key, protocol: "acme-tls/1")
        }) { _ in }
    }
}

/// Contexts of TLS servers.
enum TLSContext {
    /// Makes a context that selects a protocol which the client offers (RFC 7301); an empty one selects none.
    static func make(certificate: String, key: String, protocol name: String = "") -> OpaquePointer? {
        var context: OpaquePointer?
        guard let chain = try? String(contentsOfFile: certificate, encoding: .utf8),
            let secret = try? String(contentsOfFile: key, encoding: .utf8),
            hub_tls_load(chain, Int32(chain.utf8.count), secret, Int32(secret.utf8.count), &context) == HUB_TLS_LOADED,
            let context
        else { return nil }
        guard !name.isEmpty else { return context }
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, count, offered, length, _ in
                let wanted: StaticString = "\u{0A}acme-tls/1"
                guard let offered, length == 11, memcmp(offered, wanted.utf8Start, 11) == 0 else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                chosen?.pointee = offered + 1
                count?.pointee = 10
                return SSL_TLSEXT_ERR_OK
            },
            nil
        )
        return context
    }

    /// Makes a certificate for `localhost` that is its own authority, by OpenSSL's program.
    static func makeFiles(in folder: TemporaryFolder) async throws -> (certificate: String, key: String) {
        let (certificate, key) = (folder.path + "/server.crt", folder.path + "/server.key")
        let program = try Program(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                certificate,
            ],
            program: "/usr/bin/openssl",
            in: folder,
            withErrors: true
        )
        guard await program.exitCode() == 0 else { throw EventInbox<Int>.Missing(description: program.printed) }
        return (certificate, key)
    }

    /// Moves the 30 days of such a certificate by a number of days from now.
    static func move(_ files: (certificate: String, key: String), byDays days: Int) throws {
        let keyText = BIO_new_file(files.key, "r")
        let key = PEM_read_bio_PrivateKey(keyText, nil, nil, nil)
        let text = BIO_new_file(files.certificate, "r")
        let certificate = PEM_read_bio_X509(text, nil, nil, nil)
        defer {
            for file in [keyText, text] { BIO_free(file) }
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        let start = time(nil) + days * 86_400
        ASN1_TIME_set(X509_getm_notBefore(certificate), start)
        ASN1_TIME_set(X509_getm_notAfter(certificate), start + 30 * 86_400)
        try #require(X509_sign(certificate, key, EVP_sha256()) > 0)
        let output = BIO_new_file(files.certificate, "w")
        defer { BIO_free(output) }
        try #require(PEM_write_bio_X509(output, certificate) == 1)
    }
}
