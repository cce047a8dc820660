import HubAccounts
import HubCertificates
import HubConfiguration
import HubCrypto

/// The text that `callhub up` prints when the hub listens.
struct UpReport {
    /// The ways in which clients reach the hub.
    enum Access {
        /// By the machine's addresses and names, over the hub's own https; none: nobody else reaches it.
        case direct(hosts: [MachineHosts.Host], redirectPort: Int?)
        /// By a proxy of this machine, whose name may be known.
        case proxy(name: String?)
    }

    /// The link for the owner of a hub without accounts.
    struct OwnerLink {
        /// The secret of the invitation.
        let secret: InvitationSecret
        /// Draws a link as a QR code; the result is empty where there is no room for it.
        let draw: (String) -> String
    }

    let version: String
    let access: Access
    let port: Int
    /// The fingerprint of the hub's own authority; nil: its certificate is another's.
    let fingerprint: String?
    var notices: [String] = []
    var owner: OwnerLink?
    /// The secrets of the links for others, each for one account.
    var invitations: [InvitationSecret] = []
    /// The sentence about its end, and about staying; nil for a service.
    var ending: String?

    /// The whole text.
    var text: String {
        var parts = ["CallHub \(version) is up. \(addresses)"]
        if !notices.isEmpty { parts.append(notices.joined(separator: "\n") + "\n") }
        if let fingerprint {
            parts.append("Each device trusts it once, at \(trustURL)\nSHA-256 \(fingerprint)\n")
        }
        if let owner {
            let link = owner.secret.link(to: best)
            // A code that leads nowhere is none.
            parts.append(Self.text(ofOwner: link, drawing: isNamed ? owner.draw(link) : ""))
        }
        if !invitations.isEmpty { parts.append(textOfInvitations) }
        if !isNamed, owner != nil || !invitations.isEmpty {
            parts.append("YOUR-NAME is the proxy's name, which --domain NAME gives.\n")
        }
        if let ending { parts.append(ending + "\n") }
        return parts.joined(separator: "\n")
    }

    private var addresses: String {
        switch access {
        case .direct(let hosts, _) where hosts.isEmpty:
            return "On this machine open:\n\n  \(best)\n"
        case .direct(let hosts, _):
            let lines = hosts.map { (url($0.name), $0.condition) }
            let width = (lines.filter { $0.1 != nil }.map(\.0.count).max() ?? 0) + 3
            return "Others open one of these addresses:\n\n"
                + lines.map { url, condition in
                    let pad = String(repeating: " ", count: max(0, width - url.count))
                    return "  \(url)\(condition.map { pad + $0 } ?? "")\n"
                }
                .joined()
        case .proxy(let name):
            return "The proxy leads to http://127.0.0.1:\(port)"
                + (name.map { ", and others open:\n\n  https://\($0)\n" } ?? ".\n")
        }
    }

    /// True if the address under which others reach the hub is known.
    private var isNamed: Bool {
        if case .proxy(nil) = access { false } else { true }
    }

    private var textOfInvitations: String {
        "Others open one of these links each, once, within \(OperatorInvitation.usualHoursOfAccounts / 24) days, and choose "
            + "name and password\n(`\(ProgramPath.typed) invite list` lists them, `invite revoke` ends one):\n\n"
            + invitations.map { "  \($0.link(to: best))\n" }.joined()
    }

    /// Returns the text about an owner's link.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - drawing: Its QR code in lines; empty: none.
    /// - Returns: The text, with a line break at its end.
    static func text(ofOwner link: String, drawing: String) -> String {
        "The owner opens this link, once, within \(OwnerInvitation.hours) hours, and chooses name and password:\n\n"
            + "  \(link)\n" + (drawing.isEmpty ? "" : "\n" + drawing)
    }

    /// The address that works in most networks, without a path.
    private var best: String {
        switch access {
        case .proxy(let name): "https://\(name ?? "YOUR-NAME")"
        case .direct(let hosts, _): hosts.first.map { url($0.name) } ?? "https://localhost:\(port)"
        }
    }

    /// The page by which a device trusts the hub, without a warning of the browser if possible.
    private var trustURL: String {
        guard case .direct(let hosts, let redirect?) = access, let host = hosts.first else { return best + "/trust" }
        return "http://\(Self.authority(host.name, port: redirect, usual: 80))/trust"
    }

    private func url(_ name: SubjectName) -> String { "https://\(Self.authority(name, port: port, usual: 443))" }

    private static func authority(_ name: SubjectName, port: Int, usual: Int) -> String {
        let text = ListenAddress(host: name.text, port: port).text
        return port == usual ? String(text.dropLast(":\(port)".count)) : text
    }
}
