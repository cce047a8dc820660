public import Foundation

/// An input or output of the audio session.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    /// The kind of the port.
    public let portType: AVAudioSession.Port
    /// The name to show.
    public let portName: String
    /// The identifier of the port.
    public let uid: String

    /// Creates the description of a port.
    init(_ type: AVAudioSession.Port, _ name: String) {
        (portType, portName, uid) = (type, name, type.rawValue)
    }

    /// Returns true if an object describes the same port.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionPortDescription)?.uid == uid
    }

    /// A hash value of the identifier.
    open override var hash: Int { uid.hashValue }
}

/// The inputs and outputs that are in use.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    /// The inputs in use.
    public let inputs: [AVAudioSessionPortDescription]
    /// The outputs in use.
    public let outputs: [AVAudioSessionPortDescription]

    /// Creates the description of a route.
    init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
        (self.inputs, self.outputs) = (inputs, outputs)
    }

    /// Returns true if an object describes the same ports.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return other.inputs == inputs && other.outputs == outputs
    }

    /// A hash value of the ports.
    open override var hash: Int { inputs.map(\.uid).hashValue ^ outputs.map(\.uid).hashValue }
}
