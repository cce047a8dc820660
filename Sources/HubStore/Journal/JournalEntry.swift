import HubAccountData
import HubEngine

/// An entry of the journal: a completed call and the account that it belongs to.
struct JournalEntry: Hashable, Sendable {
    var account: String
    var call: RecentCall

    init(_ call: RecentCall, of account: String) {
        self.account = account
        self.call = call
    }

    /// The approximate memory of the entry in bytes.
    var byteCount: Int { 200 + account.utf8.count + call.byteCount }

    func append(to bytes: inout [UInt8]) {
        bytes.append(text: account)
        bytes.append(contentsOf: call.id.bytes)
        bytes.append(UInt8(truncatingIfNeeded: call.handle.type.rawValue))
        bytes.append(text: call.handle.value)
        bytes.append(text: call.name)
        var flags: UInt8 = (call.isOutgoing ? 1 : 0) | (call.isSilenced ? 2 : 0)
        flags |= (call.connectedAt == nil ? 0 : 4) | (call.invitation == nil ? 0 : 8)
        flags |= (call.invitationName == nil ? 0 : 16) | (call.hasVideo ? 32 : 0)
        flags |= (call.provider == nil ? 0 : 64) | (call.isUnknown ? 128 : 0)
        bytes.append(flags)
        bytes.append(text: call.outcome.rawValue)
        bytes.append(number: UInt64(call.devices.count))
        for device in call.devices { bytes.append(text: device) }
        for moment in [call.startedAt, call.endedAt, call.connectedAt].compactMap(\.self) {
            bytes.append(number: UInt64(bitPattern: moment.nanoseconds))
        }
        if let invitation = call.invitation { bytes.append(text: invitation.text) }
        if let name = call.invitationName { bytes.append(text: name) }
        if let name = call.provider { bytes.append(text: name) }
    }

    /// Decodes the output of `append(to:)`; nil: it is damaged.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let account = reader.text(), let id = reader.take(16).flatMap({ RecentUUID(Array($0)) }),
            let type = reader.byte().flatMap({ Handle.HandleType(rawValue: Int($0)) }), let value = reader.text(),
            let name = reader.text(), let flags = reader.byte(),
            let outcome = reader.text().flatMap({ RecentCall.Outcome(rawValue: $0) }), let devices = reader.texts(),
            let startedAt = reader.instant(), let endedAt = reader.instant()
        else { return nil }
        var connectedAt: Instant?
        if flags & 4 != 0 {
            guard let moment = reader.instant() else { return nil }
            connectedAt = moment
        }
        var invitation: InvitationID?
        if flags & 8 != 0 {
            guard let text = reader.text(), let id = InvitationID(text) else { return nil }
            invitation = id
        }
        var invitationName: String?
        if flags & 16 != 0 {
            guard let text = reader.text() else { return nil }
            invitationName = text
        }
        var provider: String?
        if flags & 64 != 0 {
            guard let text = reader.text() else { return nil }
            provider = text
        }
        guard reader.remaining == 0 else { return nil }
        self.account = account
        call = RecentCall(
            id: id,
            handle: Handle(type: type, value: value),
            name: name,
            invitation: invitation,
            invitationName: invitationName,
            isOutgoing: flags & 1 != 0,
            outcome: outcome,
            isSilenced: flags & 2 != 0,
            devices: devices,
            startedAt: startedAt,
            connectedAt: connectedAt,
            endedAt: endedAt,
            hasVideo: flags & 32 != 0,
            provider: provider,
            isUnknown: flags & 128 != 0
        )
    }
}

extension [UInt8] {
    fileprivate mutating func append(text: String) {
        append(number: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}

extension ByteReader {
    fileprivate mutating func text() -> String? {
        guard let count = count(upTo: remaining), let bytes = take(count) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    fileprivate mutating func texts() -> [String]? {
        guard let count = count(upTo: remaining) else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    fileprivate mutating func instant() -> Instant? {
        number().map { Instant(nanoseconds: Int64(bitPattern: $0)) }
    }
}
