/// The state of the calls that decides if audio is sent.
package struct AudioLine: Equatable, Sendable {
    /// True while an audio session is active and one of its calls is connected.
    package var isOpen: Bool
    /// True while the party's own audio is muted.
    package var isMuted: Bool

    package init(isOpen: Bool = false, isMuted: Bool = false) {
        self.isOpen = isOpen
        self.isMuted = isMuted
    }
}
