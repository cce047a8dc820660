public import HubEngine

// The engine's words for what a client is told, by the names under which clients were first written. To be dropped
// with their last use.

/// A call as its owner sees it.
public typealias WireCall = CallSnapshot
/// One activation of a device's audio session.
public typealias WireAudioSession = AudioSession
/// A transaction that is not yet complete.
public typealias WirePendingTransaction = PendingTransaction
