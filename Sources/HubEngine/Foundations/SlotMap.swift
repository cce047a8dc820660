/// A table whose keys are small numbers with a generation: a key of something that is gone finds nothing, and never its successor.
///
/// Iteration goes by slot, the same in every process: effects must never depend on a dictionary's order (house.md 0.10).
package struct SlotMap<Key: SlotKey, Element: Sendable>: Sendable {
    private struct Slot: Sendable {
        var generation: UInt32
        var element: Element?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    package init() {}

    /// How many elements there are.
    package var count: Int { slots.count - free.count }

    /// The keys of all elements, by slot.
    package var keys: [Key] {
        slots.indices.compactMap { index in
            let slot = slots[index]
            return slot.element == nil ? nil : Key(index: UInt32(index), generation: slot.generation)
        }
    }

    /// The element of a key, changed in place; nil where it is gone.
    ///
    /// Assigning to a key that is gone does nothing.
    package subscript(key: Key) -> Element? {
        _read {
            let index = Int(key.index)
            if slots.indices.contains(index), slots[index].generation == key.generation {
                yield slots[index].element
            } else {
                yield nil
            }
        }
        _modify {
            let index = Int(key.index)
            if slots.indices.contains(index), slots[index].generation == key.generation {
                yield &slots[index].element
            } else {
                var nothing: Element?
                yield &nothing
            }
        }
    }

    /// The key that the next `insert` will give: for elements that name each other.
    package var nextKey: Key {
        guard let index = free.last else { return Key(index: UInt32(slots.count), generation: 0) }
        return Key(index: index, generation: slots[Int(index)].generation)
    }

    /// Adds an element, in a slot used before where there is one.
    package mutating func insert(_ element: Element) -> Key {
        if let index = free.popLast() {
            slots[Int(index)].element = element
            return Key(index: index, generation: slots[Int(index)].generation)
        }
        slots.append(Slot(generation: 0, element: element))
        return Key(index: UInt32(slots.count - 1), generation: 0)
    }

    /// Takes an element out; nil where it was gone already.
    @discardableResult
    package mutating func remove(_ key: Key) -> Element? {
        let index = Int(key.index)
        guard slots.indices.contains(index), slots[index].generation == key.generation,
            let element = slots[index].element
        else { return nil }
        slots[index].element = nil
        slots[index].generation &+= 1
        free.append(key.index)
        return element
    }
}

/// What a `SlotMap` is indexed by; a type of its own for each table, so that keys are not mixed up.
package protocol SlotKey: Hashable, Sendable {
    /// The slot.
    var index: UInt32 { get }
    /// How often the slot had been used before.
    var generation: UInt32 { get }
    /// Made by the table alone.
    init(index: UInt32, generation: UInt32)
}

extension SessionID: SlotKey {}

/// Names a call in the engine.
package struct CallID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}

/// Names a conversation in the engine.
package struct ConversationID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
