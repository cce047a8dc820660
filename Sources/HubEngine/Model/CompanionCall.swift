/// A call of one of the sessions on a machine.
struct CompanionCall {
    let session: SessionID
    let uuid: CallUUID
}
