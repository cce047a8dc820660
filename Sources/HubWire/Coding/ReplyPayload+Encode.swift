import HubEngine

extension ReplyPayload {
    /// The result as JSON in its wire format, for programs that pass it on.
    public var json: String {
        var bytes: [UInt8] = []
        JSONWriter.write(into: &bytes) { write(to: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { result in
            switch self {
            case .opened(let opened):
                opened.writeMembers(to: &result)
            case .pong(let t, let now):
                result.optional("t", t) { $0.value($1) }
                result.member("now", now)
            case .accepted(let transaction, let actions):
                result.member("transaction", transaction)
                result.array("actions", actions) { $0.value($1) }
            case .done:
                break
            case .ignored:
                result.member("ignored", true)
            case .configuration(let configuration):
                result.key("configuration")
                result.value(configuration)
            case .pending(let transactions, let actions):
                result.array("transactions", transactions) { writer, transaction in
                    writer.object { writer in
                        writer.member("transaction", transaction.uuid)
                        writer.array("actions", transaction.actions) { $0.value($1) }
                    }
                }
                result.array("actions", actions) { $0.value($1) }
            case .calls(let calls, let elsewhere):
                result.array("calls", calls) { $1.write(to: &$0) }
                result.array("elsewhere", elsewhere) { writer, call in
                    writer.object { call.writeMembers(to: &$0) }
                }
            case .refreshed(let expiresAt):
                result.member("expiresAt", expiresAt)
            case .settings(let settings):
                settings.writeMembers(to: &result)
            case .blocked(let rules):
                result.array("handles", rules.compactMap(\.handle)) { $0.value($1) }
                result.array("prefixes", rules.compactMap(\.prefix)) { $0.value($1) }
                // Left out if empty, for clients from before invitations could be blocked.
                let invitations = rules.compactMap(\.invitation)
                if !invitations.isEmpty { result.array("links", invitations) { $0.value($1.text) } }
            case .contacts(let contacts):
                result.array("contacts", contacts) { writer, contact in writer.object { contact.writeMembers(to: &$0) }
                }
            case .photo(let bytes):
                result.member("photo", Base64.text(of: bytes))
            case .recents(let entries):
                result.array("recents", entries) { writer, entry in writer.object { entry.writeMembers(to: &$0) } }
            case .directoryLoaded(let loaded):
                loaded.writeMembers(to: &result)
            case .directories(let extensions):
                result.array("extensions", extensions) { writer, status in
                    writer.object { status.writeMembers(to: &$0) }
                }
            case .pushKey(let key):
                result.member("applicationServerKey", Base64URL.text(of: key))
            case .people(let people, let next):
                result.array("people", people) { writer, person in writer.object { person.writeMembers(to: &$0) } }
                result.optional("next", next) { $0.value($1) }
            case .providers(let providers):
                result.array("providers", providers) { writer, provider in
                    writer.object { provider.writeMembers(to: &$0) }
                }
            case .media(let bytes):
                result.member("media", Base64.text(of: bytes))
            case .admin(let reply):
                reply.writeMembers(to: &result)
            case .invitation(let reply):
                reply.writeMembers(to: &result)
            case .passkey(let reply):
                reply.writeMembers(to: &result)
            }
        }
    }
}

extension SessionOpenResult {
    fileprivate func writeMembers(to result: inout JSONWriter) {
        result.member("session", session)
        result.member("resumeToken", resumeToken)
        result.member("resumed", resumed)
        result.member("account", account)
        result.array("handles", handles) { $0.value($1) }
        result.object("device") { writer in
            writer.member("id", device.id) { $0.value($1) }
            writer.member("name", device.name) { $0.value($1) }
        }
        result.array("calls", calls) { $1.write(to: &$0) }
        result.object("hub") { writer in
            writer.member("name", hub.name)
            writer.member("version", hub.version)
            writer.member("node", hub.node)
        }
        result.object("audio") { writer in
            writer.member("payloadType", audio.payloadType)
            writer.member("clockRate", audio.clockRate)
            writer.member("channels", audio.channels)
            writer.array("frameDurations", audio.frameDurations) { $0.value($1) }
            writer.member("staleAfterMilliseconds", audio.staleAfterMilliseconds)
            writer.member("delivery", audio.delivery)
            if let mix = audio.mix {
                writer.member("mixedFrom", mix.mixedFrom)
                writer.member("mixSSRC", mix.ssrc)
            }
        }
        result.object("limits") { writer in
            writer.member("maximumMessageBytes", limits.maximumMessageBytes)
            writer.member("resumeGraceSeconds", limits.resumeGraceSeconds)
            writer.member("ringTimeoutSeconds", limits.ringTimeoutSeconds)
            writer.optional("maximumDirectoryEntries", limits.maximumDirectoryEntries) { $0.value($1) }
        }
        result.optional("expiresAt", expiresAt) { $0.value($1) }
        if let permissions { result.array("permissions", permissions) { $0.value($1) } }
        result.optional("openIDToken", openIDToken) { $0.value($1) }
        result.optional("confirmedUntil", confirmedUntil) { $0.value($1) }
    }
}
