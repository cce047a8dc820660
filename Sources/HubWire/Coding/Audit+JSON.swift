import HubEngine

// The audit log in messages (docs/protocol.md, Administration).

extension AuditEntry {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("at", at)
        writer.member("origin", actor.origin.rawValue)
        writer.optional("account", actor.account) { $0.value($1) }
        writer.optional("device", actor.device) { $0.value($1) }
        writer.optional("address", actor.address) { $0.value($1) }
        writer.optional("user", actor.user) { $0.value($1) }
        writer.member("act", act.name)
        writer.optional("target", act.target) { $0.value($1) }
        writer.optional("detail", act.detail) { $0.value($1) }
        writer.member("result", result.rawValue)
        writer.optional("reason", reason) { $0.value($1) }
        writer.member("previous", previous.hexadecimal)
        writer.member("hash", hash.hexadecimal)
    }
}

extension AuditHead {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("number", number)
        writer.member("hash", hash.hexadecimal)
    }
}

extension AuditVerification {
    func writeMembers(to result: inout JSONWriter) {
        result.member("entryCount", count)
        result.optional("head", head) { writer, head in writer.object { head.writeMembers(to: &$0) } }
        if let faultAt, let fault {
            result.object("fault") { writer in
                writer.member("number", faultAt)
                writer.member("reason", fault)
            }
        }
    }
}

struct DecodedAuditEntry: JSONDecodable {
    let entry: AuditEntry

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        let actor = AuditActor(
            try members.required("origin", "be a known origin", from: AuditActor.Origin.init),
            account: try members.optionalText("account"),
            device: try members.optionalText("device"),
            address: try members.optionalText("address"),
            user: try members.optionalText("user")
        )
        var entry = AuditEntry(
            number: try members.required("number", "be a whole number"),
            at: try members.date("at"),
            by: actor,
            AuditAct(
                try members.text("act"),
                on: try members.optionalText("target"),
                try members.optionalText("detail")
            ),
            try members.required("result", "be a known result", from: AuditResult.init),
            reason: try members.optionalText("reason"),
            after: try members.hash("previous")
        )
        entry.hash = try members.hash("hash")
        self.entry = entry
    }
}

extension AuditVerification {
    init(_ result: JSONMembers) throws(JSONMemberError) {
        var head: AuditHead?
        if !result.isNull("head") {
            let members = try result.object("head", "be an object")
            head = AuditHead(
                number: try members.required("number", "be a whole number"),
                hash: try members.hash("hash")
            )
        }
        self.init(count: try result.required("entryCount", "be a whole number"), head: head)
        guard !result.isNull("fault") else { return }
        let members = try result.object("fault", "be an object")
        faultAt = try members.required("number", as: Int64.self, "be a whole number")
        fault = try members.text("reason")
    }
}

extension JSONMembers {
    fileprivate func hash(_ name: String) throws(JSONMemberError) -> [UInt8] {
        try required(name, "be 64 hexadecimal digits") { text in
            text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
        }
    }
}
