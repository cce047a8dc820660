import HubAccountData
import HubEngine

// Encoding of the messages about account data (docs/protocol.md, Account data).

extension AccountDataRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .getSettings, .listBlocked, .listContacts, .erase:
            break
        case .setSettings(let update):
            update.writeMembers(to: &params)
        case .block(.handle(let handle)), .unblock(.handle(let handle)):
            params.key("handle")
            params.value(handle)
        case .block(.prefix(let digits)), .unblock(.prefix(let digits)):
            params.member("prefix", digits)
        case .block(.invitation(let invitation)), .unblock(.invitation(let invitation)):
            params.member("link", invitation.text)
        case .putContact(let contact, let photo):
            contact.writeMembers(to: &params)
            params.photoChange("photo", photo)
        case .removeContact(let identifier), .contactPhoto(let identifier):
            params.member("identifier", identifier)
        case .listRecents(let limit, let before):
            params.optional("limit", limit) { $0.value($1) }
            params.optional("before", before) { $0.value($1) }
        case .markRecentsSeen(let ids), .removeRecents(let ids):
            if let ids { params.array("ids", ids) { $0.value($1) } }
        case .loadDirectory(let load):
            load.writeMembers(to: &params)
        case .cancelDirectoryLoad(let identifier, let message):
            params.member("extension", identifier)
            params.member("cancel", true)
            params.optional("message", message) { $0.value($1) }
        case .reloadDirectory(let identifier):
            params.member("extension", identifier)
        case .setDirectoryEnabled(let identifier, let isEnabled):
            params.member("extension", identifier)
            params.member("enabled", isEnabled)
        case .directoryStatus(let identifier):
            params.optional("extension", identifier) { $0.value($1) }
        }
    }
}

extension DirectoryLoad {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("extension", identifier)
        params.member("incremental", isIncremental)
        params.array("blocking", blocking) { $0.value($1) }
        params.array("identification", identification) { writer, entry in
            writer.object { writer in
                writer.member("number", entry.number)
                writer.member("label", entry.label)
            }
        }
        // Defaults are left out, so that a plain load looks as in the protocol's documentation.
        if !removeBlocking.isEmpty { params.array("removeBlocking", removeBlocking) { $0.value($1) } }
        if !removeIdentification.isEmpty { params.array("removeIdentification", removeIdentification) { $0.value($1) } }
        if removesAllBlocking { params.member("removeAllBlocking", true) }
        if removesAllIdentification { params.member("removeAllIdentification", true) }
        params.optional("title", title) { $0.value($1) }
        if batch != 1 { params.member("batch", batch) }
        if !isFinal { params.member("final", false) }
    }
}

extension Contact {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("identifier", identifier)
        writer.member("name", name)
        writer.array("handles", handles) { $0.value($1) }
        writer.member("favorite", isFavorite)
        writer.member("breaksThroughDoNotDisturb", breaksThroughDoNotDisturb)
        writer.optional("ringtone", ringtone) { $0.value($1) }
        writer.optional("photoHash", photoHash) { $0.value($1) }
    }
}

extension RecentEntry {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", call.id)
        writer.key("handle")
        writer.value(call.handle)
        writer.member("name", call.name)
        writer.member("direction", call.isOutgoing ? "outgoing" : "incoming")
        // Clients of before `endedReason` know no such outcome.
        writer.member("outcome", call.outcome == .unanswered ? .cancelled : call.outcome)
        if call.outcome == .unanswered { writer.member("endedReason", EndReason.unanswered) }
        writer.member("silenced", call.isSilenced)
        writer.member("startedAt", call.startedAt)
        writer.member("connectedAt", call.connectedAt) { $0.value($1) }
        writer.member("endedAt", call.endedAt)
        writer.key("duration")
        // The difference of the truncated dates, which is what a client computes from them.
        writer.seconds(
            call.connectedAt.map { call.endedAt.truncatedToMilliseconds.since($0.truncatedToMilliseconds) } ?? .zero
        )
        writer.member("seen", isSeen)
        writer.member("hasVideo", call.hasVideo)
        writer.optional("provider", call.provider) { $0.value($1) }
        if call.isUnknown { writer.member("unknown", true) }
        guard let invitation = call.invitation else { return }
        writer.member("link", invitation.text)
        writer.optional("linkName", call.invitationName) { $0.value($1) }
        writer.member("count", count)
    }
}

extension DirectoryLoadResult {
    func writeMembers(to result: inout JSONWriter) {
        result.member("blocking", blocking)
        result.member("identification", identification)
        if isExpired { result.member("expired", true) }
    }
}

extension DirectoryStatus {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("extension", identifier)
        writer.member("status", isEnabled ? "enabled" : "disabled")
        writer.member("blocking", blocking)
        writer.member("identification", identification)
        writer.member("loadedAt", loadedAt) { $0.value($1) }
        writer.member("incremental", isIncremental)
        writer.optional("title", title) { $0.value($1) }
        guard let lastFault else { return }
        let code = ErrorCode(lastFault.code)
        writer.object("lastError") { writer in
            writer.member("code", code.number)
            writer.member("name", code.name ?? "")
            writer.member("message", lastFault.message)
            writer.member("at", lastFault.at)
        }
    }
}

extension Instant {
    /// The time truncated to milliseconds, as on the wire.
    fileprivate var truncatedToMilliseconds: Instant {
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let floor = rest < 0 ? milliseconds - 1 : milliseconds
        return Instant(
            nanoseconds: floor.multipliedReportingOverflow(by: 1_000_000).overflow ? nanoseconds : floor * 1_000_000
        )
    }
}

extension JSONWriter {
    /// Writes a duration in seconds, with milliseconds if there are any: `3` or `3.25`.
    fileprivate mutating func seconds(_ duration: Duration) {
        let milliseconds = max(0, duration.wholeNanoseconds) / 1_000_000
        var text = String(milliseconds / 1_000)
        if milliseconds % 1_000 != 0 {
            let digits = String(milliseconds % 1_000)
            text += "." + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            while text.hasSuffix("0") { text.removeLast() }
        }
        literal(text)
    }
}

extension BlockRule {
    /// The blocked handle; nil: it is another kind of rule.
    var handle: Handle? {
        if case .handle(let handle) = self { handle } else { nil }
    }

    /// The blocked invitation; nil: it is another kind of rule.
    var invitation: InvitationID? {
        if case .invitation(let invitation) = self { invitation } else { nil }
    }

    /// The first digits of the blocked numbers; nil: it is another kind of rule.
    var prefix: String? {
        if case .prefix(let digits) = self { digits } else { nil }
    }
}

extension JSONWriter {
    /// Writes the change of a photo: absent, null, or base64.
    mutating func photoChange(_ name: String, _ change: PhotoChange) {
        switch change {
        case .keep: break
        case .remove:
            key(name)
            null()
        case .replace(let photo): member(name, Base64.text(of: photo.bytes))
        }
    }
}
