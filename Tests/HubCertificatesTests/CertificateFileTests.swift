import Foundation
import HubTestSupport
import Testing

@testable import HubCertificates

/// Faults of the files: each is a sentence, and nothing is lost.
struct CertificateFileTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `keys are their owner's alone, in a folder of the same`() throws {
        let machine = try TestMachine()
        _ = try machine.open()
        #expect(mode(machine.certificates) == 0o700)
        #expect(mode(machine.certificates + "/authority.key") == 0o600)
        #expect(mode(machine.certificates + "/hub.pem") == 0o600)
        #expect(mode(machine.certificates + "/authority.crt") == 0o644)
        #expect(try machine.contents().keys.sorted() == ["authority.crt", "authority.key", "hub.pem"])
    }

    @Test(arguments: ["authority.key", "hub.pem"], [0o640, 0o604, 0o666] as [mode_t])
    func `a key that others may read is refused, and stays`(_ name: String, _ mode: mode_t) throws {
        let machine = try TestMachine()
        _ = try machine.open()
        let path = machine.certificates + "/" + name
        chmod(path, mode)
        let before = try machine.contents()
        let octal = String(mode, radix: 8)
        #expect(
            machine.refusal()
                == "\(path) may be read by others (mode \(octal)); make it the hub's alone by chmod 600, or "
                + "remove the folder's files for a new authority if somebody has read it."
        )
        #expect(try machine.contents() == before)
    }

    @Test func `a folder in which others may write is refused`() throws {
        let machine = try TestMachine()
        _ = try machine.open()
        chmod(machine.certificates, 0o777)
        #expect(machine.refusal().hasPrefix("others may write in \(machine.certificates), and replace the keys in it"))
    }

    @Test(arguments: ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "\u{0}\u{0}"])
    func `a damaged authority is refused, and stays`(_ content: String) throws {
        for (name, sentence) in [
            ("authority.key", "holds no private key; restore it from a backup."),
            ("authority.crt", "holds no certificate authority; restore it from a backup."),
        ] {
            let machine = try TestMachine()
            _ = try machine.open()
            let path = machine.certificates + "/" + name
            try Data(content.utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
            let before = try machine.contents()
            #expect(machine.refusal() == "\(path) \(sentence)")
            #expect(try machine.contents() == before)
        }
    }

    @Test func `a file that is too long or no text is damaged`() throws {
        for bytes in [Data(repeating: 0x41, count: 65_537), Data([0xFF, 0xFE])] {
            let machine = try TestMachine()
            _ = try machine.open()
            let path = machine.certificates + "/authority.crt"
            try bytes.write(to: URL(filePath: path))
            #expect(machine.refusal() == "\(path) is damaged; restore it from a backup.")
        }
    }

    @Test func `the key of another authority is refused, and stays`() throws {
        let (machine, other) = (try TestMachine(), try TestMachine())
        _ = try machine.open()
        _ = try other.open()
        let path = machine.certificates + "/authority.key"
        try #require(try other.contents()["authority.key"]).write(to: URL(filePath: path))
        chmod(path, 0o600)
        let before = try machine.contents()
        #expect(
            machine.refusal()
                == "\(path) is not the key of \(machine.certificates)/authority.crt; restore both from one "
                + "backup."
        )
        #expect(try machine.contents() == before)
    }

    @Test func `an authority whose key is missing is refused, and stays`() throws {
        let machine = try TestMachine()
        _ = try machine.open()
        let path = machine.certificates + "/authority.key"
        try FileManager.default.removeItem(atPath: path)
        #expect(machine.refusal().hasPrefix("\(path) is missing; restore it from a backup, or remove "))
        #expect(try machine.contents().keys.sorted() == ["authority.crt", "hub.pem"])
    }

    @Test func `a start that was interrupted between key and certificate goes on with that key`() throws {
        let machine = try TestMachine()
        let first = try machine.open().certificates
        let key = try machine.contents()["authority.key"]
        for name in ["authority.crt", "hub.pem"] {
            try FileManager.default.removeItem(atPath: machine.certificates + "/" + name)
        }
        let second = try machine.open().certificates
        #expect(try machine.contents()["authority.key"] == key)
        #expect(second.authority.certificate.commonName == first.authority.certificate.commonName)
        #expect(second.authority.certificate.hasIssued(first.leaf.certificate))
    }

    @Test func `a link, a folder or a pipe in place of a key is refused`() throws {
        let machine = try TestMachine()
        _ = try machine.open()
        let path = machine.certificates + "/authority.key"
        let key = try #require(try machine.contents()["authority.key"])
        let elsewhere = try machine.folder.write(String(decoding: key, as: UTF8.self), to: "elsewhere")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(machine.refusal().hasPrefix("\(path) cannot be read: "))
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(machine.refusal() == "\(path) is no plain file; remove it, or restore it from a backup.")
        try FileManager.default.removeItem(atPath: path)
        mkdir(path, 0o700)
        #expect(machine.refusal() == "\(path) is no plain file; remove it, or restore it from a backup.")
    }

    @Test func `a damaged certificate of the hub is made again, since its authority vouches for any`() throws {
        let machine = try TestMachine()
        let first = try machine.open().certificates
        let path = machine.certificates + "/hub.pem"
        for text in ["", first.leaf.chain, first.leaf.key, try TestMachine().open().certificates.leaf.text] {
            try Data(text.utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
            let leaf = try machine.open().certificates.leaf
            #expect(leaf.text != first.leaf.text)
            #expect(first.authority.certificate.hasIssued(leaf.certificate))
            #expect(try machine.contents()["hub.pem"] == Data(leaf.text.utf8))
        }
    }

    @Test(arguments: [0, 1, 2, 3, 5])
    func `a disk that is full at the first start leaves no half an authority`(_ writes: Int) throws {
        var machine = try TestMachine()
        let count = CallCount()
        machine.calls.write = { count.next() > writes ? fail(ENOSPC) : Glibc.write($0, $1, min($2, 100)) }
        let refusal = machine.refusal()
        #expect(refusal.hasPrefix("the disk of \(machine.certificates)/authority."), "\(refusal)")
        #expect(refusal.hasSuffix("is full; nothing was changed, free some space."))
        for (name, content) in try machine.contents() {
            #expect(name == "authority.key" && PrivateKey.read(String(decoding: content, as: UTF8.self)) != nil)
        }
        machine.calls = CertificateFile.Calls()
        #expect(machine.refusal() == "")
    }

    @Test func `a disk that is full at a renewal keeps the file, and the new certificate is used and stored later`()
        throws
    {
        var machine = try TestMachine()
        _ = try machine.open()
        let before = try machine.contents()
        let isFull = Flag(true)
        machine.calls.sync = { isFull.isSet ? Int32(fail(ENOSPC)) : fsync($0) }
        var certificates = try machine.open().certificates
        let then = certificates.leaf.certificate.ends.days(-10)
        let update = certificates.update(names: machine.names, at: then)
        let fault = "the disk of \(machine.certificates)/hub.pem is full; nothing was changed, free some space."
        #expect(update.leaf != nil)
        #expect(update.faults == [fault])
        // It is neither made again nor given up for the old one of the file.
        let again = certificates.update(names: machine.names, at: then)
        #expect(again.leaf == nil && again.faults == [fault])
        #expect(try machine.contents() == before)
        isFull.isSet = false
        #expect(certificates.update(names: machine.names, at: then).faults == [])
        #expect(try machine.contents()["hub.pem"] == update.leaf.map { Data($0.text.utf8) })
    }

    @Test func `a key that others may read while the hub runs is reported, and renewed in time all the same`() throws {
        let machine = try TestMachine()
        var certificates = try machine.open().certificates
        let path = machine.certificates + "/hub.pem"
        chmod(path, 0o644)
        let update = certificates.update(names: machine.names, at: machine.now)
        #expect(update.leaf == nil)
        #expect(update.faults.count == 1)
        #expect(update.faults.first?.hasPrefix("\(path) may be read by others (mode 644)") == true)
        #expect(mode(path) == 0o644)
        let renewed = certificates.update(names: machine.names, at: certificates.leaf.certificate.ends.days(-10))
        #expect(renewed.leaf != nil)
        #expect(mode(path) == 0o600)
        #expect(certificates.update(names: machine.names, at: machine.now).faults == [])
    }

    @Test func `two hubs that start at once in one data directory have one authority`() async throws {
        let machine = try TestMachine()
        let fingerprints = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await blocking { try machine.open().certificates.authority.certificate.fingerprint }
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(fingerprints.count == 1)
    }
}

/// Sets errno, for a system call that fails.
private func fail(_ code: Int32) -> Int {
    errno = code
    return -1
}

private final class CallCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Bool

    init(_ value: Bool) { self.value = value }

    var isSet: Bool {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
