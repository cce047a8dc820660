import HubAccountData
import HubEngine
import HubWire

/// Expectations of people's presence.
extension Run {
    /// Indicates that a device was told a presence; subscribes to it first if the device has not.
    func holds(_ presence: String, of target: Target, seenBy deviceReference: DeviceReference) -> Bool {
        guard let index = devicePool.index(of: deviceReference), devicePool.devices[index].connection == .open else {
            return false
        }
        let (device, handle) = (devicePool.devices[index], devicePool.accounts.handle(of: target))
        guard device.watched.contains(handle) else {
            device.watched.append(handle)
            _ = devicePool.sendRequest(index, .people(.subscribe(device.watched)))
            return false
        }
        return device.people[handle]?.presence.keyword == presence
    }

    /// Describes the presence that a device was told last.
    func presenceInWords(of target: Target, seenBy deviceReference: DeviceReference) -> String {
        guard let index = devicePool.index(of: deviceReference) else { return "there is no \(deviceReference)" }
        let handle = devicePool.accounts.handle(of: target)
        guard let person = devicePool.devices[index].people[handle] else {
            return "\(deviceReference) was told nothing of \(target.text)"
        }
        return "\(deviceReference) sees \(target.text) \(person.presence.keyword)"
    }
}
