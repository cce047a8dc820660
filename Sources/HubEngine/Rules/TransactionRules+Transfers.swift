/// Transfers (protocol.md, Transferring a call; rules CH-05 and CH-06).
extension TransactionRules {
    /// Validates a transfer by the states of the device's calls; the engine has checked the parties themselves.
    func validateTransfer(_ uuid: CallUUID, to target: TransferTarget, index: Int) throws(Refusal) {
        guard requests.count == 1 else {
            throw .invalid("a transfer is a transaction of its own; request the other actions before it", index)
        }
        try requireConnected(uuid, index: index)
        guard case .call(let other) = target else { return }
        guard other != uuid else { throw .invalid("toCallUUID must be another call's UUID", index) }
        let joined = try requireConnected(other, index: index)
        let group = members(of: joined)
        guard group.count == 1 || group.contains(where: { $0.uuid == uuid }) && group.count == 2 else {
            throw .invalid("the call with toCallUUID is merged with others; take it out of its group first", index)
        }
    }

    /// Plans the transfer.
    mutating func planTransfer(_ request: ActionRequest) {
        var planned = PlannedAction(kind: request.kind, callUUID: request.callUUID, origin: .user, uuid: request.uuid)
        planned.transfer = transfer
        plan.append(planned)
    }

    @discardableResult
    private func requireConnected(_ uuid: CallUUID, index: Int) throws(Refusal) -> PlannedCall {
        let call = calls[try position(of: uuid, index: index)]
        guard call.phase.isConnected else {
            throw .invalid("only connected calls can be transferred; this one is \(call.phase.errorText)", index)
        }
        return call
    }
}
