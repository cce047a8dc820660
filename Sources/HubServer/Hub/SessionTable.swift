import HubEngine

/// The sessions of signed-in clients, indexed by slot, name, connection and account.
struct SessionTable {
    private var bySlot: [UInt32: ClientSession] = [:]
    private var byName: [String: ClientSession] = [:]
    private var byConnection: [ConnectionID: ClientSession] = [:]
    private var byAccount: [FoldedName: [ClientSession]] = [:]

    /// The number of sessions that receive the notifications of others.
    private(set) var recorders = 0

    var count: Int { bySlot.count }

    /// All sessions, in no particular order.
    var all: [ClientSession] { Array(bySlot.values) }

    /// The number of sessions whose connection is lost.
    var lostCount: Int { bySlot.count - byConnection.count }

    subscript(id: SessionID) -> ClientSession? {
        guard let session = bySlot[id.index], session.id == id else { return nil }
        return session
    }

    subscript(connection: ConnectionID) -> ClientSession? { byConnection[connection] }

    /// Returns the sessions of an account, in the order of their sign-ins.
    func of(_ account: String) -> [ClientSession] { byAccount[FoldedName(account)] ?? [] }

    func named(_ name: String) -> ClientSession? { byName[name.lowercased()] }

    mutating func insert(_ session: ClientSession) {
        bySlot[session.id.index] = session
        byName[session.name] = session
        byAccount[session.accountKey, default: []].append(session)
        if let connection = session.connection { byConnection[connection] = session }
        if session.isRecorder { recorders += 1 }
    }

    mutating func remove(_ session: ClientSession) {
        if session.isRecorder, byName[session.name] != nil { recorders -= 1 }
        detach(session)
        byName[session.name] = nil
        byAccount[session.accountKey]?.removeAll { $0 === session }
        if byAccount[session.accountKey]?.isEmpty == true { byAccount[session.accountKey] = nil }
        if bySlot[session.id.index] === session { bySlot[session.id.index] = nil }
    }

    mutating func attach(_ session: ClientSession, to connection: ConnectionID) {
        detach(session)
        session.connection = connection
        byConnection[connection] = session
    }

    mutating func detach(_ session: ClientSession) {
        if let connection = session.connection { byConnection[connection] = nil }
        session.connection = nil
    }
}
