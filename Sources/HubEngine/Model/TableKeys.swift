extension SessionID: SlotKey {}

/// The identifier of an account in the engine.
package struct AccountID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}

/// The identifier of a call in the engine.
package struct CallID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
