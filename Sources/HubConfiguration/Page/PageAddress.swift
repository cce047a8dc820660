import Foundation
import HubACME
import HubCertificates
import HubServer
import HubStore

/// The address of a hub's page, which a running hub leaves in its data directory for the commands that make links.
package struct PageAddress: Equatable {
    /// The address, with a `/` at its end; `*` in place of the host means all addresses of this machine.
    let text: String

    /// Finds the address under which others open a hub's page; nil: a proxy knows it alone.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - port: The port on which it listens.
    package init?(of settings: ServeSettings, port: Int) {
        let transport = settings.hub.transport
        let path = (transport.pathPrefix ?? "") + "/"
        if let url = transport.publicURL {
            text = url.hasSuffix("/") ? url : url + "/"
        } else if transport.isBehindProxy {
            guard let host = transport.hosts.first else { return nil }
            text = "https://\(host)\(path)"
        } else {
            let isSecure = transport.usesTLS || settings.tls.makesOwn
            let domain = ACMESettings(domains: settings.tls.acme.domains).hostNames.first
            let listen = ListenAddress(host: transport.host, port: port)
            let isWildcard = ["*", "0.0.0.0", "::"].contains(listen.host)
            let host = domain ?? (isWildcard ? "*" : listen.isLoopback ? "localhost" : listen.host)
            text = Self.url(host, port: port, isSecure: isSecure) + path
        }
    }

    private init(_ text: String) { self.text = text }

    /// Writes the address into a data directory.
    ///
    /// - Parameters:
    ///   - address: The address; nil: the file is removed.
    ///   - directory: The path of the data directory.
    /// - Throws: An error of the file system.
    package static func store(_ address: PageAddress?, in directory: String) throws {
        let file = directory + "/" + name
        guard let address else {
            guard unlink(file) != 0, errno != ENOENT else { return }
            throw CocoaError(.fileWriteUnknown)
        }
        guard read(in: directory) != address else { return }
        // Replaced as a whole, so that a command never reads a half of it.
        try Data((address.text + "\n").utf8).write(to: URL(filePath: file), options: .atomic)
        chmod(file, 0o600)
    }

    /// Reads the address that the last hub of a data directory has left; nil: none, or none that can be trusted.
    package static func read(in directory: String) -> PageAddress? {
        let file = directory + "/" + name
        guard TrustedOwners.command(on: directory + "/" + DataDirectory.databaseName).fault(ofFile: file) == nil,
            let text = try? String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines),
            text.wholeMatch(of: /https?:\/\/[!-~]{1,250}\//) != nil, !text.contains("#"), !text.contains("?")
        else { return nil }
        return PageAddress(text)
    }

    /// The address for other devices of the network, and for this machine alone if there is no network.
    package var url: String {
        guard let star = text.range(of: "://*") else { return text }
        let host = MachineHosts.ofMachine(domains: []).first(where: \.isAddress)?.name.text ?? "localhost"
        return text.replacingCharacters(in: star, with: "://" + (host.contains(":") ? "[\(host)]" : host))
    }

    private static func url(_ host: String, port: Int, isSecure: Bool) -> String {
        let authority = ListenAddress(host: host, port: port).text
        let isUsual = port == (isSecure ? 443 : 80)
        return "http\(isSecure ? "s" : "")://" + (isUsual ? String(authority.dropLast(":\(port)".count)) : authority)
    }

    /// The name of the file in the data directory.
    private static let name = "page"
}
