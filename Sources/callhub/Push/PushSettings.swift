import HubServer

/// What is set about waking devices.
struct PushSettings: Sendable {
    /// Whom push services may write to; nil: nobody is woken.
    var contact: String?
    /// Where messages may be sent.
    var services = PushServiceList.browsers
    /// A PEM file of certificates trusted beside the system's; nil: none.
    var certificateAuthority: String?
}
