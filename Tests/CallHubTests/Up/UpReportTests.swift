import Foundation
import HubCertificates
import HubCrypto
import Testing

@testable import HubConfiguration
@testable import callhub

/// The text that `callhub up` prints, and the hosts in it.
struct UpReportTests {
    private func hosts(
        _ domains: [String] = [],
        _ addresses: [String],
        _ names: [String],
        mDNS: Bool = false
    ) -> [MachineHosts.Host] {
        MachineHosts.all(
            domains: domains,
            addresses: addresses.compactMap { SubjectName($0) },
            names: names.compactMap { SubjectName($0) },
            answersMulticast: mDNS
        )
    }

    private static let secret = InvitationSecret("AAAAAAAAAAAAAAAAAAAAAA") ?? InvitationSecret()

    private var link: UpReport.OwnerLink {
        UpReport.OwnerLink(secret: Self.secret) { "[\($0)]\n" }
    }

    @Test func `it has each address, the way to trust it, the owner's link, and how it ends`() {
        let hosts = hosts([], ["192.168.1.20", "2001:db8::20"], ["pc", "pc.local"])
        var report = UpReport(
            version: "1.0",
            access: .direct(hosts: hosts, redirectPort: 8080),
            port: 8443,
            fingerprint: "AB:CD"
        )
        (report.notices, report.owner, report.ending) = (["A notice."], link, "Ctrl-C ends it.")
        #expect(
            report.text == """
                CallHub 1.0 is up. Others open one of these addresses:

                  https://192.168.1.20:8443
                  https://[2001:db8::20]:8443
                  https://pc:8443         if the network's DNS knows the name
                  https://pc.local:8443   if something here answers mDNS, as avahi-daemon does

                A notice.

                Each device trusts it once, at http://192.168.1.20:8080/trust
                SHA-256 AB:CD

                The owner opens this link, once, within 24 hours, and chooses name and password:

                  https://192.168.1.20:8443/#i=AAAAAAAAAAAAAAAAAAAAAA

                [https://192.168.1.20:8443/#i=AAAAAAAAAAAAAAAAAAAAAA]

                Ctrl-C ends it.

                """
        )
    }

    @Test func `links for others come after the owner's, without a code`() {
        var report = UpReport(version: "1", access: .proxy(name: "calls.example.org"), port: 8080, fingerprint: nil)
        (report.owner, report.invitations) = (link, [Self.secret, Self.secret])
        #expect(
            report.text.hasSuffix(
                """
                [https://calls.example.org/#i=AAAAAAAAAAAAAAAAAAAAAA]

                Others open one of these links each, once, within 7 days, and choose name and password
                (`\(ProgramPath.typed) invite list` lists them, `invite revoke` ends one):

                  https://calls.example.org/#i=AAAAAAAAAAAAAAAAAAAAAA
                  https://calls.example.org/#i=AAAAAAAAAAAAAAAAAAAAAA

                """
            ),
            "\(report.text)"
        )
        report = UpReport(version: "1", access: .proxy(name: nil), port: 8080, fingerprint: nil)
        (report.owner, report.invitations) = (link, [Self.secret])
        #expect(report.text.components(separatedBy: "YOUR-NAME is the proxy's name").count == 2, "\(report.text)")
    }

    @Test func `usual ports are left out, and a hub with an owner has no link`() {
        let hosts = hosts([], ["192.168.1.20"], ["pc.local"], mDNS: true)
        let report = UpReport(
            version: "1",
            access: .direct(hosts: hosts, redirectPort: 80),
            port: 443,
            fingerprint: "AB"
        )
        #expect(report.text.contains("\n  https://192.168.1.20\n  https://pc.local\n"))
        #expect(report.text.contains("at http://192.168.1.20/trust\n"))
        #expect(!report.text.contains("#i="))
        let alone = UpReport(
            version: "1",
            access: .direct(hosts: hosts, redirectPort: nil),
            port: 443,
            fingerprint: "AB"
        )
        #expect(alone.text.contains("at https://192.168.1.20/trust\n"))
    }

    @Test func `a public name comes first, and the other addresses say that the certificate is not for them`() {
        let hosts = hosts(["calls.example.org"], ["10.0.0.2"], ["calls.example.org", "calls.local"])
        var report = UpReport(
            version: "1",
            access: .direct(hosts: hosts, redirectPort: 80),
            port: 443,
            fingerprint: nil
        )
        report.owner = link
        #expect(
            report.text.contains(
                "  https://calls.example.org\n  https://10.0.0.2      with a warning of the browser\n"
                    + "  https://calls.local   with a warning of the browser\n\nThe owner"
            )
        )
        #expect(report.text.contains("\n  https://calls.example.org/#i=AAAAAAAAAAAAAAAAAAAAAA\n"))
        #expect(!report.text.contains("SHA-256"))
    }

    @Test func `behind a proxy its name is the address`() {
        var report = UpReport(version: "1", access: .proxy(name: "calls.example.org"), port: 8080, fingerprint: nil)
        report.owner = link
        #expect(
            report.text.contains("leads to http://127.0.0.1:8080, and others open:\n\n  https://calls.example.org\n")
        )
        #expect(report.text.contains("\n  https://calls.example.org/#i=AAAAAAAAAAAAAAAAAAAAAA\n"))
        report = UpReport(version: "1", access: .proxy(name: nil), port: 8080, fingerprint: nil)
        report.owner = link
        #expect(report.text.contains("The proxy leads to http://127.0.0.1:8080.\n"))
        #expect(
            report.text.contains("\n  https://YOUR-NAME/#i=AAAAAAAAAAAAAAAAAAAAAA\n\nYOUR-NAME is the proxy's name")
        )
        #expect(!report.text.contains("["))
    }

    @Test func `a machine without a network has its own address`() {
        var report = UpReport(version: "1", access: .direct(hosts: [], redirectPort: nil), port: 8443, fingerprint: nil)
        report.owner = link
        #expect(report.text.hasPrefix("CallHub 1 is up. On this machine open:\n\n  https://localhost:8443\n"))
        #expect(report.text.contains("\n  https://localhost:8443/#i=AAAAAAAAAAAAAAAAAAAAAA\n"))
    }

    @Test func `a clock before the program's date is one sentence`() throws {
        let built = try #require(try? Date("2026-11-24T12:00:00Z", strategy: .iso8601))
        let fault = ProgramDate.clockFault(at: built - 3 * 86_400, built: built)
        #expect(
            fault
                == "the clock shows 2026-11-21, and this program is of 2026-11-24; set the clock, or browsers refuse the "
                + "hub's certificate."
        )
        #expect(ProgramDate.clockFault(at: built - 3_600, built: built) == nil)
        #expect(ProgramDate.clockFault(at: built + 1e9, built: built) == nil)
        #expect(ProgramDate.clockFault(at: built, built: nil) == nil)
        #expect(ProgramDate.built != nil)
    }
}
