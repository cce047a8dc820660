import HubEngine
import HubMedia
import HubWire

/// Devices of apps in the run's process: what they send, and the sound that they play.
extension DevicePool {
    /// Processes a request that an app's device sends by itself.
    func noteSent(_ request: ClientRequest, _ bytes: [UInt8], _ index: Int) {
        let device = devices[index]
        if case .engine(.transaction(let actions)) = request {
            for action in actions where action.kind.isStart {
                calls.places(action.callUUID, by: device.party.name)
            }
        }
        note(index, .request, request.method.rawValue, description(for: request), bytes: bytes)
        switch request {
        case .engine(.fulfill(let action, _, _)):
            device.close(action)
            device.noteFulfilled(action)
        case .engine(.fail(let action)):
            device.close(action)
            device.noteFailed(action)
        case .close: links[index].mayDisconnect = true
        default: break
        }
    }

    /// Processes sound that an app's device has played, which ends now.
    func notePlayed(_ samples: [Int16], _ index: Int) {
        let device = devices[index]
        let frames = samples.count / AudioFormat.samplesPerFrame
        let begin = now - .milliseconds(20) * max(0, frames - 1)
        for detection in device.toneDetector.detect(played: samples, at: begin) { device.receivedVoices.add(detection) }
    }

    /// Returns the frequency of the tone that an app's device sends; nil: it sends none.
    func hertz(of index: Int) -> Double? { voices.hertz[partyNumber(of: devices[index])] }

    /// Indicates that a party's phone is an app of which the run has no device.
    func isElsewhere(_ party: String) -> Bool {
        accounts.isUnderTest(party) && index(of: DeviceReference(party)) == nil
    }
}

extension ActionKind {
    /// Indicates that it starts a call.
    var isStart: Bool { if case .start = self { true } else { false } }
}
