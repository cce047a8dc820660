import HubEngine
import Testing

@testable import HubServer

/// The accounts that an `open` hub knows, and their removal.
struct AccountDirectoryTests {
    private var directory = AccountDirectory()

    private mutating func arrive(_ name: String) -> [String] { directory.arrived(name, [.generic(name)]) }

    /// Signs ten thousand other accounts in and out.
    private mutating func crowd() -> [String] {
        (0..<10_000).flatMap { number in
            let forgotten = arrive("stranger \(number)")
            #expect(directory.left("stranger \(number)") == false)
            return forgotten
        }
    }

    @Test mutating func `a signed-out account stays known until ten thousand others have signed in`() {
        #expect(arrive("bob").isEmpty)
        #expect(directory.left("bob") == false)
        #expect(directory.lookUp(.generic("bob")) == .account("bob", CallerScreeningData()))
        #expect(crowd() == ["bob"])
        #expect(directory.lookUp(.generic("bob")) == .unknown)
    }

    @Test mutating func `a signed-in account stays known regardless of others, and is removed after its last sign-out`()
    {
        #expect(arrive("bob").isEmpty)
        #expect(arrive("bob").isEmpty)
        #expect(crowd().isEmpty)
        #expect(directory.lookUp(.generic("bob")) == .account("bob", CallerScreeningData()))
        #expect(directory.left("bob") == false)
        #expect(directory.left("bob") == true)
        #expect(directory.lookUp(.generic("bob")) == .unknown)
    }
}
