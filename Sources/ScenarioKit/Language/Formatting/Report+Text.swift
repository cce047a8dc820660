import HubAccountData
import HubEngine

// Reports and changes of an account's data, as lines contain them.

extension Report {
    /// The part of the line behind `reports`.
    var text: String {
        switch self {
        case .incoming(let target, let call, let update):
            "a call" + (target.map { " from \($0.text)" } ?? "") + " as \(call)"
                + (update == CallUpdate() ? "" : ": \(update.text)")
        case .ended(let call, let reason): "\(call) ended: \(reason)"
        case .connecting(let call): "\(call) connecting"
        case .connected(let call): "\(call) connected"
        case .update(let call, let update): "\(call): \(update.text)"
        }
    }
}

extension CallUpdate {
    fileprivate var text: String {
        var changes: [String] = []
        if let remoteHandle { changes.append("from \(remoteHandle.text)") }
        if let localizedCallerName { changes.append("named \(LineFormat.quoted(localizedCallerName))") }
        changes += LineParser.capabilityKeywords.compactMap { word, path in
            self[keyPath: path].map { $0 ? word : "no \(word)" }
        }
        return changes.joined(separator: ", ")
    }
}

extension AccountDataChange {
    /// The part of the line behind `bob:`.
    var text: String {
        switch self {
        case .doNotDisturb(let isOn, let isThisDeviceOnly):
            "do not disturb \(isOn ? "on" : "off")\(isThisDeviceOnly ? " here" : "")"
        case .namedInGroups(let isNamed): "named in groups \(isNamed ? "on" : "off")"
        case .transfersOfStrangers(let isOn): "transfers of strangers \(isOn ? "on" : "off")"
        case .holdAudio(let choice): "hold audio \(choice.rawValue)"
        case .listed(let isListed): "listed \(isListed ? "on" : "off")"
        case .displayName(let name): "display name \(LineFormat.quoted(name))"
        case .block(let target): "block \(target.text)"
        case .unblock(let target): "unblock \(target.text)"
        case .contact(let target, let name, let isFavorite, let breaksThrough):
            "contact \(target.text) named \(LineFormat.quoted(name))" + (isFavorite ? ", favorite" : "")
                + (breaksThrough ? ", breaks through" : "")
        case .removeContact(let target): "no contact \(target.text)"
        case .setDirectoryEnabled(let name, let isEnabled):
            "\(isEnabled ? "enable" : "disable") directory \(LineFormat.word(name))"
        case .loadDirectory(let name, let title, let blocking, let labels):
            "load directory \(LineFormat.word(name))\(title.map { " titled \(LineFormat.quoted($0))" } ?? ""): "
                + Self.entries(blocking, labels)
        case .reloadDirectory(let name): "reload directory \(LineFormat.word(name))"
        case .cancelDirectoryLoad(let name, let message):
            "cancel directory \(LineFormat.word(name))\(message.map { " saying \(LineFormat.quoted($0))" } ?? "")"
        }
    }

    private static func entries(_ blocking: [Int64], _ labels: [Label]) -> String {
        let entries = blocking.map { "block \($0)" } + labels.map { "\($0.number) is \(LineFormat.quoted($0.label))" }
        return entries.isEmpty ? "nothing" : entries.joined(separator: ", ")
    }
}

extension ProviderConfiguration {
    /// Returns the part of the line behind `configure`.
    ///
    /// - Parameter isOffered: True or false if later transactions are offered first, or are not; nil: not said.
    /// - Returns: The settings.
    func text(offered isOffered: Bool?) -> String {
        let settings = options + (isOffered.map { [$0 ? "offered transactions" : "no offered transactions"] } ?? [])
        return settings.isEmpty ? "defaults" : settings.joined(separator: ", ")
    }

    /// The settings that differ from CallKit's defaults.
    var options: [String] {
        let defaults = ProviderConfiguration()
        var options: [String] = []
        if maximumCallGroups != defaults.maximumCallGroups { options.append("groups \(maximumCallGroups)") }
        if maximumCallsPerCallGroup != defaults.maximumCallsPerCallGroup {
            options.append("calls per group \(maximumCallsPerCallGroup)")
        }
        if supportsVideo { options.append("video") }
        if !includesCallsInRecents { options.append("no recents") }
        if !supportedHandleTypes.isEmpty {
            options.append("handle types \(supportedHandleTypes.map { "\($0)" }.joined(separator: " and "))")
        }
        if let localizedName { options.append("provider \(LineFormat.quoted(localizedName))") }
        return options
    }
}
