/// A table whose keys are slots with a generation: the key of a removed element finds nil, never its successor.
///
/// Iteration is in slot order, the same in every run: effects must not depend on a dictionary's order.
package struct SlotMap<Key: SlotKey, Element: Sendable>: Sendable {
    /// The elements by slot; the first entry belongs to no key and stays nil: keys that find nothing resolve to it.
    ///
    /// Each access has one path, which the compiler inlines: a field is read in place, without a copy of the element.
    private var elements: [Element?] = [nil]
    private var generations: [UInt32] = [0]
    private var free: [UInt32] = []

    package init() {}

    /// The number of elements.
    package var count: Int { elements.count - 1 - free.count }

    /// The keys of all elements, in slot order.
    package var keys: [Key] {
        elements.indices.compactMap { slotIndex in
            elements[slotIndex] == nil ? nil : Key(index: UInt32(slotIndex - 1), generation: generations[slotIndex])
        }
    }

    /// The element of a key, changed in place; nil if it has been removed.
    ///
    /// An assignment to the key of a removed element does nothing.
    package subscript(key: Key) -> Element? {
        @inline(__always)
        get { elements[slotIndex(of: key)] }
        @inline(__always)
        _modify {
            let slotIndex = slotIndex(of: key)
            if slotIndex == 0 { discardStray() }
            var span = elements.mutableSpan
            yield &span[slotIndex]
        }
    }

    /// Indicates that a key's element exists.
    package func contains(_ key: Key) -> Bool { slotIndex(of: key) != 0 }

    /// The key that the next `insert` will return, for elements that refer to each other.
    package var nextKey: Key {
        guard let index = free.last else { return Key(index: UInt32(elements.count - 1), generation: 0) }
        return Key(index: index, generation: generations[Int(index) + 1])
    }

    /// Adds an element, in a free slot if there is one, and returns its key.
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

    /// Removes and returns an element; nil if it was removed already.
    @discardableResult
    package mutating func remove(_ key: Key) -> Element? {
        let slotIndex = slotIndex(of: key)
        guard let element = elements[slotIndex].take() else { return nil }
        generations[slotIndex] &+= 1
        free.append(key.index)
        return element
    }

    /// Discards a value that was assigned to the key of a removed element.
    ///
    /// Not inlined: otherwise the accessor above would reserve space for an element, from the heap at each access.
    @inline(never)
    private mutating func discardStray() { elements[0] = nil }

    @inline(__always)
    private func slotIndex(of key: Key) -> Int {
        let slotIndex = Int(key.index) + 1
        return slotIndex < generations.count && generations[slotIndex] == key.generation ? slotIndex : 0
    }
}

/// A key of a `SlotMap`; each table has a key type of its own, so that keys are not mixed up.
package protocol SlotKey: Hashable, Sendable {
    /// The slot, from 0.
    var index: UInt32 { get }
    /// The number of earlier elements in the slot.
    var generation: UInt32 { get }
    /// Creates a key; only the table does so.
    init(index: UInt32, generation: UInt32)
}
