/// A table whose keys are small numbers with a generation: a key of something that is gone finds nothing, and never its successor.
///
/// Iteration goes by slot, the same in every process: effects must never depend on a dictionary's order (house.md 0.10).
package struct SlotMap<Key: SlotKey, Element: Sendable>: Sendable {
    /// By slot; the first is no element's and always empty: where a key that finds nothing is looked up.
    ///
    /// So an access has one way, which the compiler inlines: a field is read where it is, the element not copied for it.
    private var elements: [Element?] = [nil]
    private var generations: [UInt32] = [0]
    private var free: [UInt32] = []

    package init() {}

    /// How many elements there are.
    package var count: Int { elements.count - 1 - free.count }

    /// The keys of all elements, by slot.
    package var keys: [Key] {
        elements.indices.compactMap { place in
            elements[place] == nil ? nil : Key(index: UInt32(place - 1), generation: generations[place])
        }
    }

    /// The element of a key, changed in place; nil where it is gone.
    ///
    /// Assigning to a key that is gone does nothing.
    package subscript(key: Key) -> Element? {
        @inline(__always)
        get { elements[place(of: key)] }
        @inline(__always)
        _modify {
            let place = place(of: key)
            if place == 0 { forgetStray() }
            var span = elements.mutableSpan
            yield &span[place]
        }
    }

    /// Whether a key's element is there.
    package func contains(_ key: Key) -> Bool { place(of: key) != 0 }

    /// The key that the next `insert` will give: for elements that name each other.
    package var nextKey: Key {
        guard let index = free.last else { return Key(index: UInt32(elements.count - 1), generation: 0) }
        return Key(index: index, generation: generations[Int(index) + 1])
    }

    /// Adds an element, in a slot used before where there is one.
    package mutating func insert(_ element: Element) -> Key {
        let key = nextKey
        if free.popLast() == nil {
            elements.append(element)
            generations.append(key.generation)
        } else {
            elements[Int(key.index) + 1] = element
        }
        return key
    }

    /// Takes an element out; nil where it was gone already.
    @discardableResult
    package mutating func remove(_ key: Key) -> Element? {
        let place = place(of: key)
        guard let element = elements[place].take() else { return nil }
        generations[place] &+= 1
        free.append(key.index)
        return element
    }

    /// What was assigned to a key that is gone.
    ///
    /// Apart, so that the accessor above has no room to keep for an element: it would fetch it from the heap at each access.
    @inline(never)
    private mutating func forgetStray() { elements[0] = nil }

    @inline(__always)
    private func place(of key: Key) -> Int {
        let place = Int(key.index) + 1
        return place < generations.count && generations[place] == key.generation ? place : 0
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

/// Names an account in the engine.
package struct AccountID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}

/// Names a call in the engine.
package struct CallID: SlotKey {
    package let index: UInt32
    package let generation: UInt32

    package init(index: UInt32, generation: UInt32) {
        self.index = index
        self.generation = generation
    }
}
