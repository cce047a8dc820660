extension CallSystem {
    /// Returns the one object of a type that belongs to this system, and makes it at its first use.
    ///
    /// - Parameter make: The closure that makes the object.
    /// - Returns: The object.
    package func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        attachments.withLock { attachments in
            let key = ObjectIdentifier(Object.self)
            if let object = attachments[key] as? Object { return object }
            let object = make()
            attachments[key] = object
            return object
        }
    }
}
