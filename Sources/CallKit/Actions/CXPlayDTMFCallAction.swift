public import Foundation
import HubEngine

/// DTMF tones to play on a call.
open class CXPlayDTMFCallAction: CXCallAction, @unchecked Sendable {
    /// The digits: `0` to `9`, `*`, `#`, `A` to `D`.
    open var digits: String
    /// The way in which the tones are played.
    open var type: ActionType

    /// Creates the playing of tones on a call.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - digits: The digits: `0` to `9`, `*`, `#`, `A` to `D`.
    ///   - type: The way in which the tones are played.
    public init(call callUUID: UUID, digits: String, type: ActionType) {
        self.digits = digits
        self.type = type
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, digits: String, type: ActionType) {
        self.digits = digits
        self.type = type
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        guard let digits = coder.decodeText(forKey: "digits") else { return nil }
        self.digits = digits
        guard let type = ActionType(rawValue: coder.decodeInteger(forKey: "type")) else { return nil }
        self.type = type
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(digits as NSString, forKey: "digits")
        coder.encode(type.rawValue, forKey: "type")
    }

    /// The ways in which tones are played.
    public enum ActionType: Int, Sendable {
        /// One tone, as for a key of the keypad.
        case singleTone = 1
        /// The tones after a comma: after a pause of some seconds.
        case softPause = 2
        /// The tones after a semicolon: when the user has confirmed them.
        case hardPause = 3
    }

    override var engineKind: ActionKind? {
        let type = DTMFType(rawValue: type.rawValue) ?? .singleTone
        return .playDTMF(digits: digits, type: type)
    }

    /// Takes over the one digit of several that is played now.
    override func adopt(_ action: Action) {
        guard case .playDTMF(let performed, _) = action.kind, performed != digits else { return }
        digits = performed
    }
}
