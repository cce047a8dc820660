import HubAccountData
import HubEngine
import HubWire

/// Icons and ringtones: how parties show themselves on the screens of their accounts, and what these are told.
extension Run {
    /// Returns the request by which a device shows itself; its icon and ringtone are known by their names from now on.
    func request(_ change: AppearanceChange) -> ClientRequest {
        if case .named(let name)? = change.icon { shownMedia[ScenarioMedia.icon(named: name)] = name }
        if case .named(let name)? = change.ringtone { shownMedia[ScenarioMedia.ringtone(named: name)] = name }
        return .appearance(
            .set(
                icon: Self.change(change.icon) { ProviderIcon(ScenarioMedia.icon(named: $0)) },
                ringtone: Self.change(change.ringtone) { ProviderRingtone(ScenarioMedia.ringtone(named: $0)) }
            )
        )
    }

    /// Returns the icon that an app is to show, which is known by its name from now on; nil: none.
    func icon(_ change: AppearanceChange) -> [UInt8]? {
        guard case .named(let name)? = change.icon else { return nil }
        let icon = ScenarioMedia.icon(named: name)
        shownMedia[icon] = name
        return icon
    }

    private static func change<Media>(_ media: AppearanceChange.Media?, _ make: (String) -> Media?)
        -> ProviderMediaChange<Media>
    {
        switch media {
        case nil: .keep
        case .nothing: .remove
        case .named(let name): make(name).map { .replace($0) } ?? .remove
        }
    }

    /// Indicates that a device is told exactly these providers, in any order; requests them again while it is not.
    func holds(providers matchers: [ProviderMatcher], _ deviceReference: DeviceReference) -> Bool {
        holds(list: \.providers, deviceReference, .appearance(.list)) { payload in
            if case .providers(let list) = payload { list } else { nil }
        } isMet: { list, index in
            var left = list
            for matcher in matchers {
                guard let position = left.firstIndex(where: { matches($0, matcher, index) }) else { return false }
                left.remove(at: position)
            }
            return left.isEmpty
        }
    }

    private func matches(_ provider: ListedProvider, _ matcher: ProviderMatcher, _ index: Int) -> Bool {
        let isOfDevice =
            switch matcher.device {
            case .present: provider.device != nil
            case .named(let name): provider.device?.id == name
            case .former: provider.device == nil
            }
        return isOfDevice && provider.name == matcher.name
            && matches(provider.iconHash, matcher.icon, index, ScenarioMedia.icon)
            && matches(provider.ringtoneHash, matcher.ringtone, index, ScenarioMedia.ringtone)
    }

    private func matches(
        _ hash: String?,
        _ matcher: ProviderMatcher.Media?,
        _ index: Int,
        _ make: (String) -> [UInt8]
    ) -> Bool {
        guard let hash, let matcher else { return hash == nil && matcher == nil }
        guard let bytes = media(of: hash, index) else { return false }
        return if case .named(let name) = matcher { bytes == make(name) } else { true }
    }

    /// Returns the icon or ringtone of a hash; nil: the hub was asked for it, and has not sent it yet.
    private func media(of hash: String, _ index: Int) -> [UInt8]? {
        let request = mediaRequests[index]?[hash]
        if let request, case .success(.media(let bytes))? = devicePool.devices[index].replies[request] { return bytes }
        if request == nil {
            mediaRequests[index, default: [:]][hash] = devicePool.sendRequest(index, .appearance(.media(hash: hash)))
        }
        return nil
    }

    /// Describes the providers that a device was told last.
    func providersInWords(_ index: Int) -> String {
        guard let list = providers[index]?.entries else { return "the hub did not list them" }
        guard !list.isEmpty else { return "there are none" }
        let named = devicePool.devices[index].party.devices.compactMap(\.self)
        let description = list.map { provider in
            var matcher = ProviderMatcher(provider.name, on: provider.device == nil ? .former : .present)
            if let device = provider.device?.id, named.contains(device) { matcher.device = .named(device) }
            matcher.icon = provider.iconHash.map { shown($0, index) }
            matcher.ringtone = provider.ringtoneHash.map { shown($0, index) }
            return matcher.text
        }
        return "they are: " + description.joined(separator: ", ")
    }

    private func shown(_ hash: String, _ index: Int) -> ProviderMatcher.Media {
        media(of: hash, index).flatMap { shownMedia[$0] }.map { .named($0) } ?? .any
    }
}
