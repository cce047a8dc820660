/// The identifier of a conversation, which joins both parties' calls: a table slot and the slot's generation.
public struct ConversationID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
