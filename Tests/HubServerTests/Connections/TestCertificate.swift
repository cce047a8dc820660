import Foundation
import HubTestSupport

/// A self-signed certificate for this machine, made by `openssl`; its folder is removed with the object.
final class TestCertificate: Sendable {
    /// The certificate, in PEM.
    let file: String
    /// Its key, in PEM.
    let key: String
    private let folder: TemporaryFolder

    /// Makes a certificate and its key.
    ///
    /// - Parameters:
    ///   - algorithm: The argument of `openssl req -newkey`.
    ///   - days: The validity.
    ///   - passphrase: The passphrase of the key; nil: the key is not encrypted.
    /// - Throws: When there is no `openssl`.
    init(_ algorithm: String = "rsa:2048", days: Int = 2, passphrase: String? = nil) throws {
        folder = try TemporaryFolder()
        (file, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
        var arguments = ["req", "-x509", "-newkey", algorithm, "-keyout", key, "-out", file, "-days", "\(days)"]
        arguments += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        if algorithm == "ec" { arguments += ["-pkeyopt", "ec_paramgen_curve:prime256v1"] }
        arguments += passphrase.map { ["-passout", "pass:\($0)"] } ?? ["-nodes"]
        _ = try OpenSSLTool.output(arguments)
    }

    /// The certificate and its key as text.
    var pem: (chain: String, key: String) {
        get throws {
            (try String(contentsOfFile: file, encoding: .utf8), try String(contentsOfFile: key, encoding: .utf8))
        }
    }

    /// Overwrites the files of this certificate with those of another one.
    func replaceFiles(_ other: TestCertificate) throws {
        for (from, to) in [(other.file, file), (other.key, key)] {
            try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
        }
    }

    /// The certificate's name by its content.
    var fingerprint: String {
        get throws { try OpenSSLTool.output(["x509", "-noout", "-fingerprint", "-in", file]) }
    }

    /// The name of the certificate that a server shows to new connections.
    static func shown(at port: Int, _ options: [String] = []) throws -> String {
        let session = try OpenSSLTool.output(["s_client", "-connect", "127.0.0.1:\(port)"] + options)
        guard let begin = session.range(of: "-----BEGIN CERTIFICATE-----") else { return session }
        return try OpenSSLTool.output(["x509", "-noout", "-fingerprint"], input: String(session[begin.lowerBound...]))
    }
}

/// A hub's log, which a test can wait for.
final class LogLines: @unchecked Sendable {
    private let condition = NSCondition()
    private var lines: [String] = []

    /// Appends a line.
    func write(_ line: String) {
        condition.withLock {
            lines.append(line)
            condition.broadcast()
        }
    }

    /// Returns the number of lines with these words.
    func count(_ words: String) -> Int {
        condition.withLock { lines.count { words.isEmpty || $0.contains(words) } }
    }

    /// Forgets all lines.
    func clear() {
        condition.withLock { lines = [] }
    }

    /// Waits for so many lines with these words, and returns the last of them; nil when they have not come in time.
    func wait(for words: String, count: Int = 1) -> String? {
        let limit = Date(timeIntervalSinceNow: 10)
        return condition.withLock {
            while true {
                if let line = lines.filter({ $0.contains(words) }).dropFirst(count - 1).first { return line }
                if !condition.wait(until: limit) { return nil }
            }
        }
    }
}
