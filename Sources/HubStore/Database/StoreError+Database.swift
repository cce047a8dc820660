extension StoreError {
    /// Turns an error of SQLite into a failure with a message for the user.
    init(_ error: DatabaseError) {
        let (kind, reason): (Kind, String) =
            if error.isFull {
                (.full, "its disk is full; try again when there is free space")
            } else if error.isBusy {
                (.busy, "its database is locked by another program; try again in a moment")
            } else if error.isCorrupt {
                (.corrupt, "its database is damaged; the operator must restore a backup")
            } else if error.isReadOnly {
                (.readOnly, "its database is read-only; the operator must make it writable")
            } else if error.isInputOutput {
                (.inputOutput, "reading or writing its disk failed; the operator must check the disk")
            } else {
                (.fault, "its database rejected the change")
            }
        self.init(kind, "the hub cannot store this now: \(reason)", detail: error.description)
    }
}
