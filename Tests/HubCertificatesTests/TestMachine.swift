import Foundation
import HubTestSupport

@testable import HubCertificates

/// A data directory, and a hub's names at a time.
struct TestMachine {
    let folder: TemporaryFolder
    var names: [SubjectName]
    var now = Date(timeIntervalSince1970: 1_800_000_000)
    var calls = CertificateFile.Calls()

    init(_ names: String...) throws {
        folder = try TemporaryFolder()
        let given = names.isEmpty ? ["pi", "pi.local", "192.168.1.4", "203.0.113.5", "2001:db8:1:2::3"] : names
        self.names = LocalAddresses.loopback + given.compactMap { SubjectName($0) }
    }

    var certificates: String { OwnCertificates.folder(in: folder.path) }

    /// Starts, as a hub does.
    func open() throws -> (certificates: OwnCertificates, update: OwnCertificates.Update) {
        try OwnCertificates.open(.init(folder: certificates, calls: calls), host: "pi", names: names, at: now)
    }

    /// The sentence with which a start is refused; empty: it is not.
    func refusal() -> String {
        do {
            _ = try open()
            return ""
        } catch {
            return "\(error)"
        }
    }

    /// All files with their contents.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: certificates)
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, try Data(contentsOf: URL(filePath: certificates + "/" + $0)))
            }
        )
    }

    /// The verdict of `openssl verify` on a certificate, for a host or an address.
    func verify(_ leaf: String, as name: String, by authority: Certificate, at time: Date? = nil) throws -> String {
        let anchor = try folder.write(try pem(authority), to: "anchor.pem")
        let isAddress = if case .address = SubjectName(name) { true } else { false }
        let time = String(Int((time ?? now).timeIntervalSince1970))
        let arguments = ["verify", "-x509_strict", "-purpose", "sslserver", "-attime", time, "-CAfile", anchor]
        return try OpenSSLTool.run(arguments + [isAddress ? "-verify_ip" : "-verify_hostname", name], input: leaf).text
    }

    private func pem(_ certificate: Certificate) throws -> String {
        guard let pem = certificate.pem else { throw CertificateAuthority.outOfMemory }
        return pem
    }
}

extension Date {
    /// The time some days later.
    func days(_ days: Double) -> Date { self + days * 86_400 }
}

extension OpenSSLTool {
    /// The description of a certificate.
    static func text(of pem: String) throws -> String { try run(["x509", "-noout", "-text"], input: pem).text }
}
