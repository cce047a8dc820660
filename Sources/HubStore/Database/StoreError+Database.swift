extension StoreError {
    /// Turns an error of SQLite into a failure with a message for the user.
    init(_ error: DatabaseError) {
        let (kind, reason): (Kind, String) =
            if error.isFull {
                (.full, "its disk is full; try again when there is room")
            } else if error.isBusy {
                (.busy, "another program has its database; try again in a moment")
            } else if error.isCorrupt {
                (.corrupt, "its database is damaged; whoever runs it must restore a backup")
            } else if error.isReadOnly {
                (.readOnly, "its database may not be written; whoever runs it must permit that")
            } else if error.isInputOutput {
                (.inputOutput, "its disk does not work; whoever runs it must look at it")
            } else {
                (.fault, "its database does not take it")
            }
        self.init(kind, "the hub cannot remember this now: \(reason)", detail: error.description)
    }
}
