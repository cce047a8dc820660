import CallAudio
import HubClient
import HubEngine
import HubWire

/// The hub's side of a call system: a session at a hub, over sockets or in the same process.
///
/// Confined to the core's queue. All closures are called on it, and only after the method that they were passed to has
/// returned.
protocol CallBackend: AnyObject {
    /// The hub's time.
    var now: Instant { get }
    /// Opens the session; the result is an event. A session that is over may be opened again.
    ///
    /// - Parameters:
    ///   - provider: The configuration of the provider.
    ///   - isOffered: True to be offered transactions as a whole first.
    ///   - receive: The receiver of all events.
    func open(_ provider: ProviderConfiguration, offered isOffered: Bool, receive: @escaping (BackendEvent) -> Void)
    /// Sends a request after the earlier ones; while the connection is lost, requests wait.
    func send(_ request: ClientRequest, reply: @escaping (Result<ReplyPayload, HubClientError>) -> Void)
    /// Calls a closure after a time of the hub.
    func schedule(after duration: Duration, _ work: @escaping () -> Void)
    /// Connects the sound of the device, before the session is opened: it receives packets, and the names of sources.
    func attach(_ audio: DeviceAudio)
    /// The destination of the device's packets; nil: there is no session.
    var packetOutput: (any PacketOutput)? { get }
    /// Calls a closure when what the hub has sent so far is handled.
    func whenQuiet(_ work: @escaping () -> Void)
    /// Ends the session and its calls.
    ///
    /// - Parameter then: Called on any thread when the hub has answered, or when there is no connection to it.
    func close(_ then: @escaping @Sendable () -> Void)
}

/// An event of a session.
enum BackendEvent {
    /// The session is open.
    case opened(SessionOpenResult)
    /// A notification of the hub.
    case notification(WireNotification)
    /// The session could not be resumed: there is a new one, and the calls of the old one have ended.
    case reset
    /// Requests are about to fail: there is no session, or its connection has been lost for longer than they wait.
    case requestsFail(HubClientError)
    /// There is no session, or none any more.
    case ended(HubClientError)
}
