public import HubAccountData
import HubEngine
public import HubWire

/// Changes of an account's data by its clients.
extension StoreFile {
    /// Writes changes, all of them or none.
    ///
    /// - Parameters:
    ///   - changes: The changes that `AccountDataTable.plannedChanges` returned.
    ///   - account: The name of the account.
    ///   - actor: The session, if the changes are to be in the audit log; of those a photo and an erasure are.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if the account is being erased; `full`, `readOnly`, `busy`,
    ///   `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor? = nil
    ) throws(StoreError) {
        guard !changes.isEmpty else { return }
        try atomically { () throws(StoreError) in
            let id = try number(of: account)
            for change in changes {
                try write(change, of: id)
                if let actor, let act = AuditAct(own: change, of: account) { try record(act, by: actor) }
            }
        }
    }

    private func write(_ change: AccountDataChange, of account: Int64) throws(StoreError) {
        switch change {
        case .settings(let settings): try put(settings, of: account)
        case .photo(let change, let hash): try put(change, hash: hash, of: StoreFile.ownPhoto, account)
        case .blocked(let rule): try put(rule, of: account)
        case .unblocked(let rule):
            try run("DELETE FROM block_rules WHERE account = ? AND key = ?", .integer(account), .text(rule.storedKey))
        case .contact(let contact, let photo):
            try put(contact, of: account)
            try put(photo, hash: contact.photoHash, of: contact.identifier, account)
        case .contactRemoved(let identifier):
            try removePhoto(of: identifier, of: account)
            try run("DELETE FROM contacts WHERE account = ? AND key = ?", .integer(account), .text(identifier.key))
        case .recentsSeen(let ids): try markSeen(ids, of: account)
        case .recentsRemoved(let ids): try removeRecents(ids, of: account)
        case .directory(let identifier, let contents, let loadedAt, let title):
            try put(contents, identifier, loadedAt: loadedAt, title: title, of: account)
        case .directoryEnabled(let identifier, let isEnabled):
            try run(
                "UPDATE directories SET is_enabled = ? WHERE id = ?",
                .flag(isEnabled),
                .integer(try directory(identifier, of: account))
            )
        case .erased: try eraseData(of: account)
        }
    }

    /// Erases an account's data, but not the account itself and its push subscriptions.
    private func eraseData(of account: Int64) throws(StoreError) {
        cache.recents[account] = nil
        for table in ["settings", "block_rules", "contacts", "photos", "recents", "directories"] {
            try run("DELETE FROM \(table) WHERE account = ?", .integer(account))
        }
    }

    private func put(_ settings: AccountSettings, of account: Int64) throws(StoreError) {
        try run(
            """
            INSERT OR REPLACE INTO settings
                (account, do_not_disturb, quiet_hours, time_zone, quiet_devices, display_name, is_named_in_groups,
                is_listed, accepts_transferred_strangers, hold_audio)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(account),
            .flag(settings.doNotDisturb),
            .text(QuietHoursColumn.json(settings.quietHours, skippedUntil: settings.quietHoursSkippedUntil)),
            .text(settings.timeZone),
            .text(StoredStrings.json(settings.quietDevices.sorted())),
            .text(settings.displayName),
            .flag(settings.isNamedInGroups),
            settings.isListed.map { .flag($0) } ?? .null,
            .flag(settings.acceptsTransferredStrangers),
            settings.holdAudio == .hub ? .null : .text(settings.holdAudio.rawValue)
        )
    }

    private func put(_ rule: BlockRule, of account: Int64) throws(StoreError) {
        let (type, value) = rule.stored
        try run(
            "INSERT INTO block_rules (account, key, type, value) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            .integer(account),
            .text(rule.storedKey),
            .optional(type),
            .text(value)
        )
    }

    private func put(_ contact: Contact, of account: Int64) throws(StoreError) {
        let key = DatabaseValue.text(contact.identifier.key)
        try run("DELETE FROM contacts WHERE account = ? AND key = ?", .integer(account), key)
        try run(
            """
            INSERT INTO contacts (account, key, identifier, name, is_favorite, breaks_through, ringtone)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(account),
            key,
            .text(contact.identifier),
            .text(contact.name),
            .flag(contact.isFavorite),
            .flag(contact.breaksThroughDoNotDisturb),
            contact.ringtone.map { .text($0) } ?? .null
        )
        let row = database.lastInsertedRow
        for (position, handle) in contact.handles.enumerated() {
            try run(
                "INSERT INTO contact_handles (contact, position, type, value) VALUES (?, ?, ?, ?)",
                .integer(row),
                .integer(Int64(position)),
                .integer(Int64(handle.type.rawValue)),
                .text(handle.value)
            )
        }
    }
}

extension AuditAct {
    /// Describes a user's change of the own data, without its content; nil: it is not in the audit log.
    fileprivate init?(own change: AccountDataChange, of account: String) {
        switch change {
        case .photo(.replace, _): self.init("account.photo", on: account)
        case .photo(.remove, _): self.init("account.photo", on: account, "removed")
        case .erased: self.init("account.eraseData", on: account)
        default: return nil
        }
    }
}
