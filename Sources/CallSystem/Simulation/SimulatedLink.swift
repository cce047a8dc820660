package import HubSimulator
package import HubWire

/// The client's end of a connection to a simulated hub; confined to the hub's queue.
protocol SimulatedLink: AnyObject {
    /// Handles a message of the hub, or the end of the connection.
    func receive(_ message: VirtualHubOutput)
}

/// An event of a device's connection to a simulated hub, for observers of the device.
package enum SimulatedLinkEvent {
    /// The device has connected.
    case opened
    /// The device sends a request.
    case sent(ClientRequest, [UInt8])
    /// The hub has sent a message, or has ended the connection.
    case received(VirtualHubOutput)
    /// A test has cut the link.
    case cut
}
