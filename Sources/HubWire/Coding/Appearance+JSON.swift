import HubAccountData
import HubEngine

// Messages about icons and ringtones of providers (docs/protocol.md, Icons and ringtones).

extension ClientMethod {
    func readAppearanceRequest(_ params: JSONMembers) throws(JSONMemberError) -> AppearanceRequest {
        switch self {
        case .providerSetAppearance:
            .set(
                icon: try params.mediaChange(
                    "icon",
                    "be base64 of a PNG image of at most \(ProviderIcon.maximumBytes) bytes and "
                        + "\(ProviderIcon.maximumSide) x \(ProviderIcon.maximumSide) pixels",
                    maximumBytes: ProviderIcon.maximumBytes,
                    ProviderIcon.init
                ),
                ringtone: try params.mediaChange(
                    "ringtone",
                    "be base64 of an Ogg Opus or WAV file of at most \(ProviderRingtone.maximumBytes) bytes",
                    maximumBytes: ProviderRingtone.maximumBytes,
                    ProviderRingtone.init
                )
            )
        case .providerMedia:
            .media(
                hash: try params.required("hash", "be 32 digits of 0-9 and a-f, as provider.list has them") {
                    $0.isMediaHash ? $0 : nil
                }
            )
        default: .list
        }
    }
}

extension JSONMembers {
    /// The change of an icon or ringtone: absent, null, or base64.
    fileprivate func mediaChange<Media>(
        _ name: String,
        _ requirement: @autoclosure () -> String,
        maximumBytes: Int,
        _ make: ([UInt8]) -> Media?
    ) throws(JSONMemberError) -> ProviderMediaChange<Media> {
        guard contains(name) else { return .keep }
        guard !isNull(name) else { return .remove }
        let longest = (maximumBytes + 2) / 3 * 4
        return .replace(
            try required(name, requirement()) { text in
                text.utf8.count <= longest ? Base64.bytes(of: text).flatMap(make) : nil
            }
        )
    }
}

extension String {
    fileprivate var isMediaHash: Bool {
        utf8.count == 32 && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension AppearanceRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .set(let icon, let ringtone):
            icon.writeMember("icon", \.bytes, to: &params)
            ringtone.writeMember("ringtone", \.bytes, to: &params)
        case .list: break
        case .media(let hash): params.member("hash", hash)
        }
    }
}

extension ProviderMediaChange {
    fileprivate func writeMember(_ name: String, _ bytes: KeyPath<Media, [UInt8]>, to params: inout JSONWriter) {
        switch self {
        case .keep: break
        case .remove:
            params.key(name)
            params.null()
        case .replace(let media): params.member(name, Base64.text(of: media[keyPath: bytes]))
        }
    }
}

extension ListedProvider {
    func writeMembers(to writer: inout JSONWriter) {
        if let device {
            writer.object("device") { writer in
                writer.optional("id", device.id) { $0.value($1) }
                writer.member("name", device.name) { $0.value($1) }
            }
        }
        writer.optional("name", name) { $0.value($1) }
        writer.optional("iconHash", iconHash) { $0.value($1) }
        writer.optional("ringtoneSound", ringtoneSound) { $0.value($1) }
        writer.optional("ringtoneHash", ringtoneHash) { $0.value($1) }
    }
}

struct DecodedListedProvider: JSONDecodable {
    let provider: ListedProvider

    init(_ value: JSONValue) throws(JSONMemberError) {
        let members = try JSONMembers(value)
        var provider = ListedProvider(name: try members.optionalText("name"))
        if !members.isNull("device") {
            let device = try members.object("device", "be an object")
            provider.device = SessionOpenRequest.Device(
                id: try device.optionalText("id"),
                name: try device.optionalText("name"),
                focus: nil
            )
        }
        provider.iconHash = try members.optionalText("iconHash")
        provider.ringtoneSound = try members.optionalText("ringtoneSound")
        provider.ringtoneHash = try members.optionalText("ringtoneHash")
        self.provider = provider
    }
}
