import Foundation
import HubTestSupport
import Testing

@testable import HubCertificates

/// A hub's own authority and what it issues, judged by `openssl`.
struct CertificateAuthorityTests {
    @Test func `openssl accepts the hub's certificate under its authority, for each of its names and addresses`() throws
    {
        let machine = try TestMachine()
        let (certificates, update) = try machine.open()
        #expect(update.faults == [])
        for name in machine.names.map(\.text) {
            let verdict = try machine.verify(certificates.leaf.chain, as: name, by: certificates.authority.certificate)
            #expect(verdict.contains("stdin: OK"), "\(name): \(verdict)")
        }
        let other = try machine.verify(
            certificates.leaf.chain,
            as: "bank.example",
            by: certificates.authority.certificate
        )
        #expect(other.contains("hostname mismatch"))
    }

    @Test func `the authority is ten years long, signs certificates alone, and names its constraints as critical`()
        throws
    {
        let machine = try TestMachine()
        let authority = try machine.open().certificates.authority.certificate
        let text = try OpenSSLTool.text(of: try #require(authority.pem))
        #expect(text.contains("X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n"))
        #expect(text.contains("X509v3 Key Usage: critical\n                Certificate Sign, CRL Sign\n"))
        #expect(text.contains("X509v3 Subject Key Identifier:"))
        #expect(text.contains("ASN1 OID: prime256v1"))
        #expect(text.contains("Signature Algorithm: ecdsa-with-SHA256"))
        let constraints = [
            "DNS:localhost", "DNS:pi", "DNS:pi.local", "IP:203.0.113.5/255.255.255.255",
            "IP:2001:DB8:1:2:0:0:0:0/FFFF:FFFF:FFFF:FFFF:0:0:0:0", "IP:10.0.0.0/255.0.0.0", "IP:172.16.0.0/255.240.0.0",
            "IP:192.168.0.0/255.255.0.0", "IP:169.254.0.0/255.255.0.0", "IP:127.0.0.0/255.0.0.0",
            "IP:FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0", "IP:FE80:0:0:0:0:0:0:0/FFC0:0:0:0:0:0:0:0",
            "IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF",
        ]
        let shown = text.components(separatedBy: "X509v3 Name Constraints: critical\n").last ?? ""
        let lines = shown.split(separator: "\n").dropFirst().map { $0.drop { $0 == " " } }
        #expect(lines.prefix { $0.hasPrefix("DNS:") || $0.hasPrefix("IP:") }.map(String.init) == constraints)
        #expect(authority.commonName.wholeMatch(of: /CallHub pi [0-9a-f]{8}/) != nil)
        let years = authority.ends.timeIntervalSince(authority.begins) / 86_400 / 365.25
        #expect((9.99...10.01).contains(years))
    }

    @Test func `the hub's certificate is for servers, and at most 397 days long`() throws {
        let machine = try TestMachine()
        let leaf = try machine.open().certificates.leaf
        let text = try OpenSSLTool.text(of: leaf.chain)
        #expect(text.contains("CA:FALSE"))
        #expect(text.contains("X509v3 Extended Key Usage: \n                TLS Web Server Authentication\n"))
        #expect(text.contains("X509v3 Key Usage: critical\n                Digital Signature\n"))
        #expect(text.contains("X509v3 Authority Key Identifier:"))
        #expect(text.contains("DNS:localhost, DNS:pi, DNS:pi.local, IP Address:127.0.0.1, IP Address:192.168.1.4"))
        #expect(leaf.certificate.ends.timeIntervalSince(leaf.certificate.begins) <= 397 * 86_400)
    }

    @Test(arguments: ["bank.example", "pi.example", "8.8.8.8", "2001:db8:1:3::3", "local"])
    func `openssl refuses a certificate of the authority for a foreign name`(_ name: String) throws {
        let machine = try TestMachine()
        let authority = try machine.open().certificates.authority
        let foreign = try #require(SubjectName(name))
        let leaf = try LeafCertificate.issue(for: .given([foreign]), by: authority, at: machine.now)
        let verdict = try machine.verify(leaf.chain, as: name, by: authority.certificate)
        #expect(verdict.contains("permitted subtree violation"), "\(verdict)")
    }

    @Test(arguments: [
        "10.255.255.255", "172.31.0.1", "192.168.200.1", "fd00::1", "fe80::1", "2001:db8:1:2:ffff::1", "x.pi.local",
    ])
    func `openssl accepts one for any private address, and for names below the hub's`(_ name: String) throws {
        let machine = try TestMachine()
        let authority = try machine.open().certificates.authority
        let own = try #require(SubjectName(name))
        let leaf = try LeafCertificate.issue(for: .given([own]), by: authority, at: machine.now)
        #expect(try machine.verify(leaf.chain, as: name, by: authority.certificate).contains("stdin: OK"))
    }

    @Test func `a name that the authority was not made for is left out and reported once, and the others stay valid`()
        throws
    {
        var machine = try TestMachine("pi", "192.168.1.4")
        _ = try machine.open()
        machine.names += [SubjectName("calls.example.org"), SubjectName("198.51.100.7")].compactMap(\.self)
        var (certificates, update) = try machine.open()
        #expect(
            update.faults == [
                "the certificate is not valid for calls.example.org, 198.51.100.7, which the hub's authority was not made "
                    + "for; to change that, remove authority.key, authority.crt and hub.pem in "
                    + "\(machine.certificates) for a new authority, to be trusted by each device."
            ]
        )
        #expect(try !OpenSSLTool.text(of: certificates.leaf.chain).contains("example.org"))
        let verdict = try machine.verify(certificates.leaf.chain, as: "pi", by: certificates.authority.certificate)
        #expect(verdict.contains("stdin: OK"))
        #expect(certificates.update(names: machine.names, at: machine.now).faults == [])
    }

    @Test func `the fingerprint is the one that openssl and browsers show`() throws {
        let machine = try TestMachine()
        let authority = try machine.open().certificates.authority.certificate
        let pem = try #require(authority.pem)
        let printed = try OpenSSLTool.run(["x509", "-noout", "-fingerprint", "-sha256"], input: pem).text
        #expect(printed == "sha256 Fingerprint=\(authority.fingerprint)\n")
    }

    @Test func `two authorities of one machine have different names, keys and serial numbers`() throws {
        let (one, other) = (try TestMachine().open().certificates, try TestMachine().open().certificates)
        #expect(one.authority.certificate.commonName != other.authority.certificate.commonName)
        let serials = try [one, other].map {
            try OpenSSLTool.run(["x509", "-noout", "-serial"], input: try #require($0.authority.certificate.pem)).text
        }
        #expect(serials[0] != serials[1])
    }

    @Test func `a machine name of 253 letters still makes a valid authority`() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        let machine = try TestMachine(name)
        let (certificates, _) = try OwnCertificates.open(
            in: machine.folder.path,
            host: name,
            names: machine.names,
            at: machine.now
        )
        let verdict = try machine.verify(certificates.leaf.chain, as: name, by: certificates.authority.certificate)
        #expect(verdict.contains("stdin: OK"), "\(verdict)")
    }
}
