import Dispatch
import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubWire

// The icon and the ringtone of the app, for the other screens of its account.
extension SystemCore {
    /// Sends the icon and the ringtone of the newest provider if the hub has others.
    func sendAppearance() {
        guard case .open = session else { return }
        let wanted = providers.last?.appearance ?? ProviderAppearance()
        guard wanted != sentAppearance else { return }
        let sent = sentAppearance
        sentAppearance = wanted
        if wanted.icon != sent.icon { send(icon: wanted.icon) }
        if wanted.ringtoneSound != sent.ringtoneSound { send(ringtone: wanted.ringtoneSound) }
    }

    private func send(icon data: Data?) {
        guard let data else { return send(icon: .remove, ringtone: .keep) }
        guard let icon = ProviderIcon([UInt8](data)) else {
            system?.warn(
                "iconTemplateImageData (\(data.count) bytes) is not shown on the account's other screens: it must be a "
                    + "PNG image of at most \(ProviderIcon.maximumBytes) bytes and \(ProviderIcon.maximumSide) x "
                    + "\(ProviderIcon.maximumSide) pixels."
            )
            return send(icon: .remove, ringtone: .keep)
        }
        send(icon: .replace(icon), ringtone: .keep)
    }

    /// Sends the sound of a ringtone if its file is beside the app; it is read, and made short, on another queue.
    private func send(ringtone name: String?) {
        guard let name, let file = RingtoneFile(name, in: settings.soundFolder) else {
            return send(icon: .keep, ringtone: .remove)
        }
        run.once(on: .global(qos: .utility)) { [weak system] in
            let ringtone = Result { () throws(RingtoneFile.Fault) in try file.load() }
            system?.post { core in
                guard core.sentAppearance.ringtoneSound == name else { return }
                switch ringtone {
                case .success(let ringtone): core.send(icon: .keep, ringtone: .replace(ringtone))
                case .failure(let fault):
                    core.system?.warn("ringtoneSound: \(fault.message); the account's other screens ring otherwise.")
                    core.send(icon: .keep, ringtone: .remove)
                }
            }
        }
    }

    private func send(icon: ProviderMediaChange<ProviderIcon>, ringtone: ProviderMediaChange<ProviderRingtone>) {
        guard case .open(let session) = session else { return }
        let bytes = Self.byteCount(icon, \.bytes) + Self.byteCount(ringtone, \.bytes)
        guard bytes * 4 / 3 + Self.headBytes <= session.limits.maximumMessageBytes else {
            system?.warn(
                "The app's icon or ringtone (\(bytes) bytes) is longer than a message to this hub may be "
                    + "(\(session.limits.maximumMessageBytes) bytes): the account's other screens go without it."
            )
            return
        }
        backend.send(.appearance(.set(icon: icon, ringtone: ringtone))) { [weak self] result in
            if case .failure(.refused(let error)) = result {
                self?.system?.warn("The hub does not show the app's icon or ringtone: \(error.message).")
            }
        }
    }

    private static func byteCount<Media>(_ change: ProviderMediaChange<Media>, _ bytes: KeyPath<Media, [UInt8]>) -> Int
    {
        if case .replace(let media) = change { media[keyPath: bytes].count } else { 0 }
    }

    /// More than the rest of a message has.
    private static let headBytes = 256
}
