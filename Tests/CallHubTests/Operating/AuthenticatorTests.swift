import Foundation
import HubCrypto
import HubEngine
import HubServer
import HubStore
import Testing

@testable import HubAccounts
@testable import HubConfiguration

/// Tests that authentication does not delay calls, and that tokens and passwords do not delay each other.
struct AuthenticatorTests {
    @Test func `a sign-in with a token does not wait for password checks`() async throws {
        let store = try Store(StoreSettings(":memory:"))
        let cost = try #require(PasswordCost(megabytes: 8, passes: 1))
        let hash = try #require(PasswordHash(try Password("bob-secret"), cost: cost))
        await withCheckedContinuation { done in
            store.perform { file throws(StoreError) in
                try file.addAccount(NewAccount("bob", passwordHash: hash.text, handles: [.generic("bob")]))
            } then: { _ in
                done.resume()
            }
        }
        let book = AccountCache()
        book.take(try store.load().accounts)
        let desk = try TokenAuthenticator(
            TokenSettings(),
            invitationKey: InvitationTokens.freshKey(),
            revokedInvitations: []
        )
        let keeper = HubAuthenticator(
            .accounts,
            store,
            book,
            desk,
            cost: cost,
            maximumPasswordWait: .seconds(100),
            allowsAnyoneToAdminister: false
        )
        let verdicts = AsyncStream<Result<AuthenticatedIdentity, AuthenticationRefusal>>.makeStream()
        let passwords = 80
        for _ in 0..<passwords {
            keeper.authenticate(Credentials(account: "bob", password: "bob-secret")) { verdicts.continuation.yield($0) }
        }
        keeper.authenticate(Credentials(token: "no token")) { verdicts.continuation.yield($0) }
        var order: [AuthenticationFault?] = []
        for await verdict in verdicts.stream {
            if case .failure(let refusal) = verdict { order.append(refusal.kind) } else { order.append(nil) }
            if order.count == passwords + 1 { break }
        }
        #expect(order.count { $0 == nil } == passwords)
        let place = try #require(order.firstIndex(of: .wrongToken))
        #expect(place < passwords, "the token was looked at after all passwords")
    }
}
