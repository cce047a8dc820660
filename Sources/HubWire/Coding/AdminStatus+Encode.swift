import HubEngine

// Encoding of the hub's state for its administrator (docs/protocol.md, Administration). Only programs that show it
// decode it, none of them in Swift.

extension AdminStatus {
    func writeMembers(to result: inout JSONWriter) {
        result.object("hub") { writer in
            writer.member("name", hub.name)
            writer.member("version", hub.version)
            writer.member("node", hub.node)
        }
        result.member("authMode", authMode)
        result.member("startedAt", startedAt)
        result.member("now", answeredAt)
        result.member("sessionCount", sessions)
        result.member("callCount", calls)
        if isDraining { result.member("isDraining", true) }
        result.optional("certificate", certificate) { writer, one in writer.object { one.writeMembers(to: &$0) } }
        result.optional("backup", backup) { writer, one in writer.object { one.writeMembers(to: &$0) } }
        result.array("refusals", refusals) { writer, one in
            writer.object { writer in
                writer.member("limit", one.limit)
                writer.member("total", one.total)
                writer.member("lastHour", one.lastHour)
            }
        }
        result.array("log", log) { writer, line in
            writer.object { writer in
                writer.member("at", line.at)
                writer.member("level", line.isError ? "error" : "warning")
                writer.member("text", line.text)
            }
        }
        result.optional("audit", auditHead) { writer, head in writer.object { head.writeMembers(to: &$0) } }
    }
}

extension AdminStatus.Certificate {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        writer.array("names", names) { $0.value($1) }
        writer.optional("issuer", issuer) { $0.value($1) }
        writer.optional("expiresAt", expiresAt) { $0.value($1) }
        writer.optional("nextRenewalAt", nextRenewalAt) { $0.value($1) }
        writer.optional("failure", failure) { $0.value($1) }
    }
}

extension AdminStatus.Backup {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.optional("newestAt", newestAt) { $0.value($1) }
        writer.optional("bytes", byteCount) { $0.value($1) }
        writer.member("failures", failures)
        writer.optional("failure", failure) { $0.value($1) }
        writer.member("isRunning", isRunning)
    }
}

extension AdminHistory {
    func writeMembers(to result: inout JSONWriter) {
        result.member("intervalSeconds", intervalSeconds)
        result.array("samples", samples) { writer, sample in
            writer.object { writer in
                writer.member("at", sample.at)
                writer.member("calls", sample.calls)
                writer.member("sessions", sample.sessions)
                writer.member("packets", sample.packets)
                writer.optional("latencyMicroseconds", sample.latencyMicroseconds) { $0.value($1) }
            }
        }
    }
}
