import HubAccountData
import HubEngine
import HubWire

/// Call directories: the lists of a device's account, as the hub describes them.
extension Run {
    /// Indicates that the hub lists exactly these directories, in any order; requests the list again while it does not.
    func holds(directories matchers: [DirectoryMatcher], _ deviceReference: DeviceReference) -> Bool {
        let request = ClientRequest.accountData(.directoryStatus(identifier: nil))
        return holds(list: \.directories, deviceReference, request) { payload in
            if case .directories(let list) = payload { list } else { nil }
        } isMet: { list, _ in
            let described = list.map { DirectoryMatcher($0) }
            return described.count == matchers.count && Set(described) == Set(matchers)
        }
    }

    /// Describes the directories that a device was told last.
    func directoriesInWords(_ index: Int) -> String {
        guard let list = directories[index]?.entries else { return "the hub did not list them" }
        guard !list.isEmpty else { return "there are none" }
        return "they are: " + list.map { DirectoryMatcher($0).text }.joined(separator: ", ")
    }
}

extension DirectoryMatcher {
    fileprivate init(_ status: DirectoryStatus) {
        self.init(status.identifier)
        title = status.title
        isEnabled = status.isEnabled
        failure = status.lastFault?.message
    }
}
