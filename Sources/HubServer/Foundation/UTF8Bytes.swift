extension UnsafeBufferPointer<UInt8> {
    /// Computes the longest prefix of at most `limit` bytes that ends between characters.
    ///
    /// - Parameter limit: The maximum length in bytes.
    /// - Returns: A slice of this buffer.
    func prefixOnCharacter(_ limit: Int) -> UnsafeBufferPointer<UInt8> {
        guard count > limit else { return self }
        var end = limit
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeBufferPointer(rebasing: self[..<end])
    }
}

extension UnsafeRawBufferPointer {
    /// True if these bytes are valid UTF-8.
    package var isValidUTF8: Bool {
        (try? UTF8Span(validating: bindMemory(to: UInt8.self).span)) != nil
    }
}
