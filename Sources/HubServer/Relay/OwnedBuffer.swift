/// A fixed number of values in memory of their own, which is freed with the buffer.
///
/// To read or write an element counts no reference and checks no exclusivity.
struct OwnedBuffer<Element>: ~Copyable {
    private let memory: UnsafeMutableBufferPointer<Element>

    /// Makes an empty buffer, which takes no memory.
    init() { memory = UnsafeMutableBufferPointer(start: nil, count: 0) }

    /// Makes a buffer of the elements of an array, in their order.
    init(_ elements: [Element]) {
        guard !elements.isEmpty else {
            memory = UnsafeMutableBufferPointer(start: nil, count: 0)
            return
        }
        memory = .allocate(capacity: elements.count)
        _ = memory.initialize(fromContentsOf: elements)
    }

    deinit {
        memory.deinitialize()
        memory.deallocate()
    }

    /// The number of elements.
    @inline(__always)
    var count: Int { memory.count }

    /// True if there are no elements.
    @inline(__always)
    var isEmpty: Bool { memory.count == 0 }

    /// The element at a position, 0 to `count - 1`.
    @inline(__always)
    subscript(index: Int) -> Element {
        get { memory[index] }
        nonmutating set { memory[index] = newValue }
    }

    /// The elements, in an array of their own.
    var elements: [Element] { Array(memory) }
}
