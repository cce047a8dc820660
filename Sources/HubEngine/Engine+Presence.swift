extension Engine {
    /// Returns the devices of an account on which calls can ring, in the order of their sign-ins.
    ///
    /// A device whose connection is lost is among them until its grace period is over, one whose provider was
    /// invalidated is not.
    ///
    /// - Parameter name: The name of the account.
    /// - Returns: The sessions, and whether each has a connected or held call.
    public func reachableDevices(ofAccount name: String) -> [ReachableDevice] {
        guard let account = account(named: name), let ids = accounts[account]?.sessions else { return [] }
        return ids.compactMap { id in
            guard let session = sessions[id], session.providerLimits.acceptsCalls else { return nil }
            return ReachableDevice(
                session: id,
                deviceID: session.opening.deviceID,
                isOnCall: session.calls.contains { calls[$0]?.state.isConnected == true }
            )
        }
    }
}

/// A device on which calls can ring.
public struct ReachableDevice: Hashable, Sendable {
    /// The session of the device.
    public var session: SessionID
    /// The device identifier.
    public var deviceID: String
    /// True if the device has a connected or held call.
    public var isOnCall: Bool
}
