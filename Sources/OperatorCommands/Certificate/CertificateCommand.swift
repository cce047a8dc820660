import CommandLineTools
import Foundation
import HubCertificates
import HubConfiguration

/// `callhub certificate`: the certificates that a hub makes itself (`tls.own`).
package enum CertificateCommand {
    static let data = Option(
        "--data",
        value: "DIR",
        help: "the hub's data directory, as of `callhub serve`; default: $XDG_DATA_HOME/callhub or\n"
            + "~/.local/share/callhub"
    )
    static let json = Option(Command.json.name, help: "show: an object, for programs")
    static let options = [data, json]

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let verbs = ["show", "fingerprint", "renew"]
        switch Command.choose("certificate", arguments, among: verbs, options: options, usage: usage) {
        case .handled(let code): return code
        case .verb(let verb, let rest):
            return await Command.run("certificate \(verb)", rest, options: options, usage: usage) { given in
                _ = try given.words(after: "certificate \(verb)")
                let folder = try folder(given)
                switch verb {
                case "show": try show(folder, given)
                case "fingerprint": try Command.print(certificates(folder).authority.fingerprint + "\n")
                default: try renew(folder)
                }
            }
        }
    }

    private static func folder(_ given: Arguments) throws(UsageError) -> String {
        let folder = given[data] ?? DataDirectory.defaultPath(ProcessInfo.processInfo.environment)
        guard let folder else {
            throw UsageError("there is no home folder that could contain the certificates; name it by --data.")
        }
        return folder
    }

    private static func certificates(
        _ folder: String
    ) throws(CommandFailure) -> (authority: Certificate, leaf: Certificate?) {
        do throws(CertificateError) {
            if let certificates = try OwnCertificates.read(in: folder) { return certificates }
        } catch {
            throw CommandFailure(2, error.description)
        }
        throw missing(folder)
    }

    private static func missing(_ folder: String) -> CommandFailure {
        CommandFailure(2, "\(folder) has no certificate; a hub with tls.own makes one when it starts.")
    }

    // MARK: Commands

    /// A certificate in the output of `show --json`.
    private struct Shown: Encodable {
        let name: String?
        let names: [String]?
        let fingerprint: String
        let begins: String
        let ends: String

        init(_ certificate: Certificate, isAuthority: Bool) {
            name = isAuthority ? certificate.commonName : nil
            names = isAuthority ? nil : certificate.names.map(\.text)
            fingerprint = certificate.fingerprint
            begins = certificate.begins.formatted(.iso8601)
            ends = certificate.ends.formatted(.iso8601)
        }
    }

    private static func show(_ folder: String, _ given: Arguments) throws {
        let (authority, leaf) = try certificates(folder)
        if given.has(json) {
            let shown = [
                "authority": Shown(authority, isAuthority: true),
                "certificate": leaf.map { .init($0, isAuthority: false) },
            ]
            return try Command.print(jsonText(shown.compactMapValues(\.self)))
        }
        let certificate = leaf.map { leaf in
            """
            Certificate: \(leaf.names.map(\.text).joined(separator: ", "))
              valid until \(leaf.ends.day); renewed by the running hub
              SHA-256 \(leaf.fingerprint)

            """
        }
        try Command.print(
            """
            Authority: \(authority.commonName)
              valid until \(authority.ends.day)
              SHA-256 \(authority.fingerprint)

            """ + (certificate ?? "Certificate: none; the hub makes one when it starts.\n")
        )
    }

    private static func renew(_ folder: String) throws(CommandFailure) {
        var status = stat()
        // Else the new file would be another user's, and the hub refuse it.
        if stat(OwnCertificates.folder(in: folder), &status) == 0, status.st_uid != geteuid() {
            throw CommandFailure(2, "the certificates are user \(status.st_uid)'s; run the command as the hub's user.")
        }
        let renewed: Certificate?
        do throws(CertificateError) {
            renewed = try OwnCertificates.renew(in: folder, at: Date())
        } catch {
            throw CommandFailure(2, error.description)
        }
        guard let renewed else { throw missing(folder) }
        try Command.print("The new certificate is valid until \(renewed.ends.day): SHA-256 \(renewed.fingerprint)\n")
        Console.err("A running hub uses it within a minute, or at once after SIGHUP; no call is interrupted.\n")
    }

    private static let usage = """
        Usage: callhub certificate show [--json]
               callhub certificate fingerprint
               callhub certificate renew

        The certificates that a hub with tls.own makes: its authority, which devices trust once, and the certificate that
        clients see. `show` describes both. `fingerprint` prints the authority's SHA-256, to be compared with the one that
        a device shows. `renew` makes a new certificate with another key, for the same names; the hub does so by itself
        in time, and devices go on trusting it.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 there is no certificate, or a file cannot be read or written.

        """
}
