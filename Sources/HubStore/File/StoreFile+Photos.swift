import HubAccountData
import HubEngine

/// The photos of contacts and users, which are read one by one when clients request them.
extension StoreFile {
    /// The place of the photo of an account's own user among those of its contacts: no contact has an empty identifier.
    static let ownPhoto = ""

    /// Reads the photo of an account's user.
    ///
    /// - Parameter account: The name of the account.
    /// - Returns: The image data; nil if there is none.
    /// - Throws: `StoreError` of the kind `busy`, `corrupt`, `inputOutput` or `fault`.
    public func photo(of account: String) throws(StoreError) -> [UInt8]? { try photo(of: Self.ownPhoto, in: account) }

    /// Reads the photo of a contact.
    ///
    /// - Parameters:
    ///   - contact: The contact's identifier.
    ///   - account: The name of the account.
    /// - Returns: The image data; nil if there is no such contact, or it has no photo.
    /// - Throws: `StoreError` of the kind `busy`, `corrupt`, `inputOutput` or `fault`.
    public func photo(of contact: String, in account: String) throws(StoreError) -> [UInt8]? {
        try first(
            """
            SELECT data FROM photos JOIN accounts ON accounts.id = photos.account
            WHERE accounts.key = ? AND photos.key = ?
            """,
            .text(account.nameKey),
            .text(contact.key)
        ) { $0.bytes(0) }
    }

    /// Reads the photos of all contacts of an account, by the contacts' identifiers.
    func photos(of account: String) throws(StoreError) -> [String: [UInt8]] {
        var photos: [String: [UInt8]] = [:]
        try rows(
            """
            SELECT identifier, data FROM photos JOIN accounts ON accounts.id = photos.account
            JOIN contacts ON contacts.account = photos.account AND contacts.key = photos.key
            WHERE accounts.key = ?
            """,
            [.text(account.nameKey)]
        ) { photos[$0.text(0)] = $0.bytes(1) }
        return photos
    }

    /// Writes the change of a photo.
    func put(_ change: PhotoChange, hash: String?, of contact: String, _ account: Int64) throws(StoreError) {
        switch change {
        case .keep: break
        case .remove: try removePhoto(of: contact, of: account)
        case .replace(let photo):
            try run(
                "INSERT OR REPLACE INTO photos (account, key, hash, data) VALUES (?, ?, ?, ?)",
                .integer(account),
                .text(contact.key),
                .text(hash ?? ""),
                .blob(photo.bytes)
            )
        }
    }

    /// Removes the photo of a contact, if it has one.
    func removePhoto(of contact: String, of account: Int64) throws(StoreError) {
        try run("DELETE FROM photos WHERE account = ? AND key = ?", .integer(account), .text(contact.key))
    }
}
