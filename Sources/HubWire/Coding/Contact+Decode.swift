import HubAccountData
import HubEngine

extension Contact {
    /// Decodes a contact; the limits apply only to one that is to be stored.
    init(_ members: JSONMembers, isStored: Bool) throws(JSONMemberError) {
        let identifier = isStored ? try members.identifier("identifier") : try members.text("identifier")
        let name = isStored ? try members.shownName("name") : try members.text("name")
        let handles =
            isStored
            ? try members.required("handles", as: [DecodedStoredHandle].self, "be an array of handles").map(\.handle)
            : try members.required("handles", as: [DecodedHandle].self, "be an array of handles").map(\.handle)
        self.init(
            identifier: identifier,
            name: name,
            handles: handles,
            isFavorite: try members.optionalFlag("favorite") ?? false,
            breaksThroughDoNotDisturb: try members.optionalFlag("breaksThroughDoNotDisturb") ?? false,
            ringtone: isStored ? try members.ringtone("ringtone") : try members.optionalText("ringtone"),
            // A client cannot set it: it sends a photo.
            photoHash: isStored ? nil : try members.optionalText("photoHash")
        )
    }
}

struct DecodedContact: JSONDecodable {
    let contact: Contact

    init(_ value: JSONValue) throws(JSONMemberError) {
        contact = try Contact(try JSONMembers(value), isStored: false)
    }
}

/// The maximum length of a ringtone's name in bytes.
///
/// More: longer names; longer lists of contacts.
private let maximumRingtoneBytes = 32

extension JSONMembers {
    /// The name of a ringtone, which the hub need not know.
    fileprivate func ringtone(_ name: String) throws(JSONMemberError) -> String? {
        let requirement = "be the name of a ringtone: 1 to \(maximumRingtoneBytes) of the characters a-z, 0-9 and -"
        return try optional(name, requirement) { text in
            let isName = text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            return isName && (1...maximumRingtoneBytes).contains(text.utf8.count) ? text : nil
        }
    }

    /// The change of a photo: absent, null, or base64.
    func photoChange(_ name: String) throws(JSONMemberError) -> PhotoChange {
        guard contains(name) else { return .keep }
        guard !isNull(name) else { return .remove }
        let requirement = "be base64 of a JPEG, PNG or WebP image of at most \(Photo.maximumBytes) bytes"
        let longest = (Photo.maximumBytes + 2) / 3 * 4
        return .replace(
            try required(name, requirement) { text in
                text.utf8.count <= longest ? Base64.bytes(of: text).flatMap(Photo.init) : nil
            }
        )
    }
}
