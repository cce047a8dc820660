import Foundation
import HubTestSupport
import Testing

@testable import HubCertificates

/// The replacement of a hub's certificate, as time passes and addresses change.
struct RenewalTests {
    @Test func `a restart keeps the authority and the certificate`() throws {
        var machine = try TestMachine()
        let first = try machine.open().certificates
        machine.now = machine.now.days(1)
        let second = try machine.open().certificates
        #expect(second.authority.certificate.fingerprint == first.authority.certificate.fingerprint)
        #expect(second.leaf.certificate.fingerprint == first.leaf.certificate.fingerprint)
        #expect(second.leaf.key == first.leaf.key)
    }

    @Test func `the certificate is replaced when less than a third of its time is left, and not before`() throws {
        let machine = try TestMachine()
        var certificates = try machine.open().certificates
        let end = certificates.leaf.certificate.ends
        let third = 397.0 / 3
        #expect(certificates.update(names: machine.names, at: end.days(-third - 0.01)).leaf == nil)
        let next = try #require(certificates.update(names: machine.names, at: end.days(-third + 0.01)).leaf)
        #expect(next.certificate.ends > end.days(200))
        let verdict = try machine.verify(next.chain, as: "pi", by: certificates.authority.certificate, at: end.days(10))
        #expect(verdict.contains("stdin: OK"))
        // Its file is replaced, too.
        var later = machine
        later.now = end.days(-100)
        #expect(try later.open().certificates.leaf.text == next.text)
    }

    @Test func `the certificate is replaced when an address comes or goes, not when their order changes`() throws {
        let machine = try TestMachine()
        var certificates = try machine.open().certificates
        #expect(certificates.update(names: machine.names.reversed(), at: machine.now).leaf == nil)
        let more = machine.names + [SubjectName("192.168.7.7")].compactMap(\.self)
        let leaf = try #require(certificates.update(names: more, at: machine.now).leaf)
        let verdict = try machine.verify(leaf.chain, as: "192.168.7.7", by: certificates.authority.certificate)
        #expect(verdict.contains("stdin: OK"))
        #expect(certificates.update(names: more, at: machine.now).leaf == nil)
        let fewer = try #require(certificates.update(names: machine.names, at: machine.now).leaf)
        #expect(try !OpenSSLTool.text(of: fewer.chain).contains("192.168.7.7"))
    }

    @Test func `a certificate from a clock that was ahead is replaced when the clock is right`() throws {
        var machine = try TestMachine()
        let right = machine.now
        var certificates = try machine.open().certificates
        let ahead = try #require(certificates.update(names: machine.names, at: right.days(300)).leaf)
        #expect(ahead.certificate.begins > right)
        machine.now = right
        let next = try #require(certificates.update(names: machine.names, at: right).leaf)
        #expect(next.certificate.begins < right)
        #expect(try machine.verify(next.chain, as: "pi", by: certificates.authority.certificate).contains("stdin: OK"))
    }

    @Test func `under a clock before the authority's making the certificate stays, with a sentence`() throws {
        var machine = try TestMachine()
        var certificates = try machine.open().certificates
        let fingerprint = certificates.leaf.certificate.fingerprint
        machine.now = machine.now.days(-400)
        let sentence =
            "the clock shows \(machine.now.day), before the hub's certificate authority was made; set the clock."
        let update = certificates.update(names: machine.names, at: machine.now)
        #expect(update.leaf == nil)
        #expect(update.faults == [sentence])
        let restarted = try machine.open()
        #expect(restarted.update.faults == [sentence])
        #expect(restarted.certificates.leaf.certificate.fingerprint == fingerprint)
        // Without a stored one it gets one that is valid as soon as the clock is right.
        try FileManager.default.removeItem(atPath: machine.certificates + "/hub.pem")
        let made = try machine.open().certificates
        let verdict = try machine.verify(
            made.leaf.chain,
            as: "pi",
            by: made.authority.certificate,
            at: machine.now.days(400)
        )
        #expect(verdict.contains("stdin: OK"))
    }

    @Test(arguments: [0, 1, 1_700_000_000.0 - 1e8, -1, 2_147_483_648 - 4e9])
    func `an authority is not made while the clock was never set`(_ seconds: Double) throws {
        var machine = try TestMachine()
        machine.now = Date(timeIntervalSince1970: seconds)
        #expect(machine.refusal().hasPrefix("the clock shows \(machine.now.day); set it, as the certificate authority"))
        #expect(try machine.contents().isEmpty)
    }

    @Test(arguments: [2_147_483_648.0, 4_102_444_800, 253_402_300_799, 9.3e18, 1e300])
    func `an authority made in a far future is whole, or refused in a sentence`(_ seconds: Double) throws {
        var machine = try TestMachine()
        machine.now = Date(timeIntervalSince1970: seconds)
        let refusal = machine.refusal()
        if seconds < 5e9 {
            let certificates = try machine.open().certificates
            let verdict = try machine.verify(certificates.leaf.chain, as: "pi", by: certificates.authority.certificate)
            #expect(verdict.contains("stdin: OK"), "\(verdict)")
        } else {
            #expect(refusal.hasSuffix("."), "\(refusal)")
            #expect(try machine.contents().isEmpty)
        }
    }

    @Test func `towards the authority's end the certificate ends with it, and is not replaced again and again`() throws
    {
        let machine = try TestMachine()
        var certificates = try machine.open().certificates
        let end = certificates.authority.certificate.ends
        let last = try #require(certificates.update(names: machine.names, at: end.days(-100)).leaf)
        #expect(last.certificate.ends == end)
        for days in [-99.0, -10, -0.1] {
            #expect(certificates.update(names: machine.names, at: end.days(days)).leaf == nil, "\(days)")
        }
        let update = certificates.update(names: machine.names, at: end.days(1))
        #expect(update.leaf == nil)
        #expect(update.faults.count == 1)
        #expect(update.faults.first?.hasPrefix("the hub's certificate authority has ended on \(end.day)") == true)
    }

    @Test func `a certificate that callhub certificate renew has written is taken by the hub`() throws {
        let machine = try TestMachine()
        var running = try machine.open().certificates
        let before = try #require(try OwnCertificates.read(in: machine.folder.path)?.leaf)
        let renewed = try #require(try OwnCertificates.renew(in: machine.folder.path, at: machine.now.days(3)))
        #expect(renewed.names == before.names && renewed.names == machine.names.sorted())
        #expect(renewed.fingerprint != before.fingerprint)
        #expect(renewed.ends == before.ends.days(3))
        let update = running.update(names: machine.names, at: machine.now.days(3))
        #expect(update.leaf?.certificate.fingerprint == renewed.fingerprint)
        #expect(running.update(names: machine.names, at: machine.now.days(3)).leaf == nil)
    }

    @Test func `nothing is renewed where the hub has made no certificate`() throws {
        let machine = try TestMachine()
        #expect(try OwnCertificates.renew(in: machine.folder.path, at: machine.now) == nil)
        #expect(try OwnCertificates.read(in: machine.folder.path) == nil)
        #expect(!FileManager.default.fileExists(atPath: machine.certificates))
    }

    @Test func `a check runs again and again until it is stopped`() async throws {
        try await blocking {
            let calls = DispatchSemaphore(value: 0)
            let check = PeriodicCheck(every: 0.001, name: "check") { calls.signal() }
            for _ in 0..<3 { #expect(calls.wait(timeout: .now() + 10) == .success) }
            check.stop()
            while calls.wait(timeout: .now()) == .success {}
            #expect(calls.wait(timeout: .now()) == .timedOut)
        }
    }

    @Test func `a check that is wanted at once does not wait for its time`() async throws {
        try await blocking {
            let calls = DispatchSemaphore(value: 0)
            let check = PeriodicCheck(every: 3_600, name: "check") { calls.signal() }
            for _ in 0..<2 {
                check.wake()
                let isCalled = calls.wait(timeout: .now() + 10)
                #expect(isCalled == .success)
            }
            check.stop()
        }
    }
}
