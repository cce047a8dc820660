import HubAccountData
import HubEngine

extension StoredAccountData {
    /// Applies a change as a store would.
    mutating func apply(_ change: AccountDataChange) {
        switch change {
        case .settings(let settings): self.settings = settings
        case .photo(.replace(let new), let hash): (photo, settings.photoHash) = (.inMemory(new.bytes), hash)
        case .photo(.remove, _): (photo, settings.photoHash) = (nil, nil)
        case .photo(.keep, _): break
        case .blocked(let rule): blocked.append(rule)
        case .unblocked(let rule): blocked.removeAll { $0.key == rule.key }
        case .contact(let contact, let photo):
            contacts.removeAll { $0.identifier == contact.identifier }
            contacts.append(contact)
            switch photo {
            case .keep: break
            case .remove: photos[contact.identifier] = nil
            case .replace(let photo): photos[contact.identifier] = .inMemory(photo.bytes)
            }
        case .contactRemoved(let identifier):
            contacts.removeAll { $0.identifier == identifier }
            photos[identifier] = nil
        case .recentsSeen(let ids):
            for index in recents.indices where ids?.contains(recents[index].call.id) ?? true {
                recents[index].isSeen = true
            }
        case .recentsRemoved(let ids): recents.removeAll { ids?.contains($0.call.id) ?? true }
        case .directory(let identifier, let contents, let loadedAt, let title):
            changeDirectory(identifier) { directory in
                directory.contents = contents
                directory.loadedAt = loadedAt
                directory.title = title
            }
        case .directoryEnabled(let identifier, let isEnabled):
            changeDirectory(identifier) { $0.isEnabled = isEnabled }
        case .erased: self = StoredAccountData(name: name)
        }
    }

    /// Changes the stored data of a directory extension, which is created if it is unknown.
    private mutating func changeDirectory(_ identifier: String, _ body: (inout StoredDirectory) -> Void) {
        if let index = directories.firstIndex(where: { $0.identifier == identifier }) {
            body(&directories[index])
        } else {
            var directory = StoredDirectory(
                identifier: identifier,
                isEnabled: true,
                loadedAt: nil,
                contents: DirectoryContents()
            )
            body(&directory)
            directories.append(directory)
        }
    }
}
