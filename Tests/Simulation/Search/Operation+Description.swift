import HubEngine

/// Operations as readable sentences.
extension Operation {
    func sentence(in shape: WorldShape) -> String {
        let name = shape.devices[device % shape.devices.count].name
        let account = shape.accounts[shape.devices[device % shape.devices.count].account]
        func other(_ place: Int) -> String { shape.accounts[place % shape.accounts.count] }
        switch step {
        case .wait(let milliseconds): return "\(milliseconds) ms pass"
        case .skipToNextTimer: return "time jumps to the next due event"
        case .setQuiet(let isOn): return "\(account) turns Do Not Disturb \(isOn ? "on" : "off")"
        case .setDeviceQuiet(let isOn): return "\(name) turns Do Not Disturb \(isOn ? "on" : "off")"
        case .setBlocked(let place, let isOn): return "\(account) \(isOn ? "blocks" : "unblocks") \(other(place))"
        case .setExempt(let place, let isOn): return "\(account) lets \(other(place)) through: \(isOn)"
        case .setHidden(let isOn): return "\(account) is \(isOn ? "hidden" : "named") in groups"
        case .setRefusingStrangers(let isOn): return "\(account) \(isOn ? "refuses" : "takes") transferred strangers"
        case .setHoldAudio(let audio): return "\(account) plays \(audio.rawValue) to those on hold"
        case .lookUps(let milliseconds): return "look-ups take \(milliseconds) ms"
        case .endConversation: return "an administrator ends a call"
        case .drain(let milliseconds): return "the hub drains for \(milliseconds) ms"
        case .restart: return "the hub restarts"
        case .network(let uplink, let downlink): return "\(name)'s network: \(uplink) ms up, \(downlink) ms down"
        case .drop(let delay): return "\(name) loses its connection, noticed after \(delay) ms"
        case .request(let requestedActions):
            return "\(name) requests \(requestedActions.map { $0.words(in: shape) }.joined(separator: ", then "))"
        default: return "\(name): \(step)"
        }
    }
}

extension Operation.RequestedAction {
    fileprivate func words(in shape: WorldShape) -> String {
        guard case .start(let target, let video, let external) = self else { return "\(self)" }
        let place = target % (shape.accounts.count + 5)
        let others = ["echo", "tone", "music", "nobody", "a telephone"]
        let callee = place < shape.accounts.count ? shape.accounts[place] : others[place - shape.accounts.count]
        return "a call to \(callee)\(video ? " with video" : "")\(external ? ", external" : "")"
    }
}

extension WorldShape: CustomStringConvertible {
    /// The devices and their settings, one line each.
    public var description: String {
        devices.map { device in
            var words = "\(device.name): \(device.fulfillment), \(device.provider.maximumCallGroups) groups of "
            words += "\(device.provider.maximumCallsPerCallGroup)"
            if device.executesTransactions { words += ", executes" }
            if !device.mayCall { words += ", may not call" }
            if device.observes { words += ", observes" }
            if device.provider.supportsVideo { words += ", video" }
            return words
        }.joined(separator: "\n")
    }
}
