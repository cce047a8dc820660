import HubServer

/// What is set about waking devices.
struct PushSettings: Sendable {
    /// Whom push services may write to; nil: nobody is woken.
    var contact: String?
    /// Where messages may be sent.
    var services = PushServiceList.browsers
    /// Messages a minute for one account, and as many in one go; one caller causes half of them at most.
    var messagesToAccountPerMinute = 120
    /// Messages a minute that one caller causes, and as many in one go, whoever is called.
    var messagesByCallerPerMinute = 240
    /// A PEM file of certificates trusted beside the system's; nil: none.
    var certificateAuthority: String?
}
