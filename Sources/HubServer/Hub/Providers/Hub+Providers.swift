import HubAccountData
import HubCrypto
import HubEngine
import HubWire

/// The icons and ringtones of an account's providers, for its own devices (docs/protocol.md, Icons and ringtones).
extension Hub {
    func answer(_ request: AppearanceRequest, of session: ClientSession, _ context: RequestContext) {
        guard !session.isGuest else {
            let message = "guests have no icons and ringtones of providers; sign in to an account"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        switch request {
        case .set(let icon, let ringtone):
            if let refusal = admissionControl.fanOutRefusal(of: session, at: clock.now) {
                return refuse(refusal, to: context)
            }
            set(icon, ringtone, of: session, context)
        case .list: reply(.providers(Array(providers(of: session).prefix(Self.maximumProviders))), to: context)
        case .media(let hash):
            guard let bytes = media(named: hash, of: session) else {
                let message =
                    "no icon or ringtone of this account's providers has this hash; provider.list has the present ones"
                return refuse(WireError(.notFound, message), to: context)
            }
            reply(.media(bytes), to: context)
        }
    }

    private func set(
        _ icon: ProviderMediaChange<ProviderIcon>,
        _ ringtone: ProviderMediaChange<ProviderRingtone>,
        of session: ClientSession,
        _ context: RequestContext
    ) {
        var appearance = appearances[session.id]
        switch icon {
        case .keep: break
        case .remove: appearance.icon = nil
        case .replace(let icon): appearance.icon = Self.media(icon.bytes)
        }
        switch ringtone {
        case .keep: break
        case .remove: appearance.ringtone = nil
        case .replace(let ringtone): appearance.ringtone = Self.media(ringtone.bytes)
        }
        guard appearance != appearances[session.id] else { return reply(.ignored, to: context) }
        guard appearances.set(appearance, of: session.id, in: session.accountKey) else {
            let message =
                "there is no room for more icons and ringtones of providers; remove those of another device first"
            return refuse(WireError(.tooMany, message), to: context)
        }
        if icon == .remove, let name = engine.providerConfiguration(of: session.id)?.shownName {
            appearances.keep(nil, of: name, in: session.accountKey)
        }
        reply(.done, to: context)
        noteProvider(of: session)
    }

    /// Keeps the icon of a session's provider, and notifies the account's other devices if the provider has changed.
    func noteProvider(of session: ClientSession) {
        guard !session.isGuest else { return }
        keepIcon(of: session)
        guard appearances.list(listedProvider(of: session), of: session.id) else { return }
        notifyOfProviders(of: session.account, but: session.id, causedBy: session)
    }

    /// Notifies the devices of an account, except one, that the list of its providers has changed.
    func notifyOfProviders(of account: String, but changed: SessionID, causedBy chargedSession: ClientSession?) {
        for session in sessions.of(account) where session.id != changed && !session.isGuest {
            notify(session, .providersChanged, causedBy: chargedSession)
        }
    }

    /// Keeps the icon of a session's provider for Recents, under the provider's present name.
    private func keepIcon(of session: ClientSession) {
        guard let icon = appearances[session.id].icon,
            let name = engine.providerConfiguration(of: session.id)?.shownName
        else { return }
        appearances.keep(icon, of: name, in: session.accountKey)
    }

    /// Returns the providers of the requester's account: those of signed-in devices, then those that have left an icon.
    private func providers(of requester: ClientSession) -> [ListedProvider] {
        let present = sessions.of(requester.account).compactMap { appearances.listed[$0.id] }
        let absent = appearances.kept(of: requester.accountKey).filter { kept in
            !present.contains { $0.name == kept.name && $0.iconHash != nil }
        }
        return present
            + absent.map { kept in
                var provider = ListedProvider(name: kept.name)
                provider.iconHash = kept.icon.hash
                return provider
            }
    }

    /// Returns the list entry of a session's provider; nil: it has no name, icon or ringtone.
    private func listedProvider(of session: ClientSession) -> ListedProvider? {
        let configuration = engine.providerConfiguration(of: session.id)
        let appearance = appearances[session.id]
        var provider = ListedProvider(device: session.device, name: configuration?.shownName)
        provider.iconHash = appearance.icon?.hash
        provider.ringtoneSound = configuration?.ringtoneSound.flatMap(\.ifShort)
        provider.ringtoneHash = appearance.ringtone?.hash
        return provider == ListedProvider(device: session.device) ? nil : provider
    }

    private func media(named hash: String, of requester: ClientSession) -> [UInt8]? {
        let present = sessions.of(requester.account).flatMap { session in
            [appearances[session.id].icon, appearances[session.id].ringtone].compactMap(\.self)
        }
        let kept = appearances.kept(of: requester.accountKey).map(\.icon)
        return (present + kept).first { $0.hash == hash }?.bytes
    }

    private static func media(_ bytes: [UInt8]) -> ProviderAppearances.Media {
        ProviderAppearances.Media(hash: photoHash(bytes), bytes: bytes)
    }

    /// The maximum number of providers in a list.
    ///
    /// More: no account has so many apps; a list may exceed the client's send queue.
    private static let maximumProviders = 100
}

extension ProviderConfiguration {
    /// The name to show for the provider; nil: it has none, or one that is too long.
    fileprivate var shownName: String? { localizedName.flatMap(\.ifShort) }
}

extension String {
    /// The text itself; nil if it is empty, or longer than the name of a provider in Recents.
    fileprivate var ifShort: String? { isEmpty || utf8.count > 256 ? nil : self }
}
