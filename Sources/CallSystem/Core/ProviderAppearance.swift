package import Foundation

/// The appearance of an app's provider on the screens of its account, as its configuration has it.
package struct ProviderAppearance: Hashable, Sendable {
    /// The PNG data of the icon; nil: none.
    package var icon: Data?
    /// The name of the ringtone's file; nil: the system's ringtone.
    package var ringtoneSound: String?

    /// Creates an appearance.
    ///
    /// - Parameters:
    ///   - icon: The PNG data of the icon; nil or empty: none.
    ///   - ringtoneSound: The name of the ringtone's file; nil: the system's ringtone.
    package init(icon: Data? = nil, ringtoneSound: String? = nil) {
        self.icon = icon?.isEmpty == false ? icon : nil
        self.ringtoneSound = ringtoneSound
    }
}
