public import Foundation
import HubEngine

/// The begin or the end of the translation of a call.
open class CXSetTranslatingCallAction: CXCallAction, @unchecked Sendable {
    /// True to translate the call, false to stop.
    public let isTranslating: Bool
    /// The language of the device's user.
    public let localLanguage: String
    /// The language of the other party.
    public let remoteLanguage: String

    /// Creates the begin or the end of a translation.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - isTranslating: True to translate the call, false to stop.
    ///   - localLanguage: The language of the device's user.
    ///   - remoteLanguage: The language of the other party.
    public init(call callUUID: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String) {
        self.isTranslating = isTranslating
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String) {
        self.isTranslating = isTranslating
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        isTranslating = coder.decodeBool(forKey: "isTranslating")
        localLanguage = coder.decodeText(forKey: "localLanguage") ?? ""
        remoteLanguage = coder.decodeText(forKey: "remoteLanguage") ?? ""
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isTranslating, forKey: "isTranslating")
        coder.encode(localLanguage as NSString, forKey: "localLanguage")
        coder.encode(remoteLanguage as NSString, forKey: "remoteLanguage")
    }

    /// Reports that the translation has begun or ended.
    ///
    /// - Parameter translationEngine: The engine that translates.
    open func fulfill(using translationEngine: CXTranslationEngine) {
        fulfill(at: nil, using: translationEngine == .custom ? .custom : .standard)
    }

    override var engineKind: ActionKind? {
        .setTranslating(isTranslating, localLanguage: localLanguage, remoteLanguage: remoteLanguage)
    }
}

/// The engines that translate a call.
public enum CXTranslationEngine: Int, Sendable {
    /// The system's.
    case `default` = 0
    /// The app's.
    case custom = 1
}
