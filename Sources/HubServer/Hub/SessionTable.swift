import HubEngine

/// The signed-in clients, by each of their names.
struct SessionTable {
    private var bySlot: [UInt32: ClientSession] = [:]
    private var byName: [String: ClientSession] = [:]
    private var byConnection: [ConnectionID: ClientSession] = [:]
    private var byAccount: [String: [ClientSession]] = [:]

    /// How many are told what others are told.
    private(set) var recorders = 0

    var count: Int { bySlot.count }

    /// In no order that means anything.
    var all: [ClientSession] { Array(bySlot.values) }

    /// How many have no connection at the moment.
    var lostCount: Int { bySlot.count - byConnection.count }

    subscript(id: SessionID) -> ClientSession? {
        guard let session = bySlot[id.index], session.id == id else { return nil }
        return session
    }

    subscript(connection: ConnectionID) -> ClientSession? { byConnection[connection] }

    /// The sessions of an account, in the order of their sign-ins.
    func of(_ account: String) -> [ClientSession] { byAccount[account] ?? [] }

    func named(_ name: String) -> ClientSession? { byName[name.lowercased()] }

    mutating func insert(_ session: ClientSession) {
        bySlot[session.id.index] = session
        byName[session.name] = session
        byAccount[session.account, default: []].append(session)
        if let connection = session.connection { byConnection[connection] = session }
        if session.isRecorder { recorders += 1 }
    }

    mutating func remove(_ session: ClientSession) {
        if session.isRecorder, byName[session.name] != nil { recorders -= 1 }
        detach(session)
        byName[session.name] = nil
        byAccount[session.account]?.removeAll { $0 === session }
        if byAccount[session.account]?.isEmpty == true { byAccount[session.account] = nil }
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
