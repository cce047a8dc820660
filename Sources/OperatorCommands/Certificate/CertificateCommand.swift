import CommandLineTools
import Foundation
import HubACME
import HubCertificates
import HubConfiguration

/// `callhub certificate`: the certificates that a hub makes itself (`tls.own`) or orders (`tls.acme`).
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

    static func certificates(
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
        CommandFailure(2, "\(folder) has no certificate; a hub with tls.own or tls.acme makes one when it starts.")
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
        clients see. `show` describes both, and with tls.acme (--domain) the certificate of the ACME server: names, end,
        the last failure and what to do, and the time of the next attempt. `fingerprint` prints the authority's SHA-256,
        to be compared with the one that a device shows. `renew` makes a new certificate with another key, for the same
        names; the hub does so by itself in time, and devices go on trusting it.

        \(Arguments.table(options + [Command.help]))
        Exit codes: 0 success; 1 invalid command line; 2 there is no certificate, or a file cannot be read or written.

        """
}
