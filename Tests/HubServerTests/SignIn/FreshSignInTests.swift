import HubEngine
import HubServer
import Testing

/// The time for which a fresh sign-in by a provider confirms requests.
struct FreshSignInTests {
    @Test func `a fresh sign-in confirms passkeys for ten minutes`() {
        let start = Instant(nanoseconds: 1_000_000_000)
        let signIn = FreshSignIn(at: start)
        #expect(signIn.end == start + .seconds(600))
        #expect(signIn.confirms(at: start))
        #expect(signIn.confirms(at: start + .nanoseconds(599_999_999_999)))
        #expect(!signIn.confirms(at: start + .seconds(600)))
    }
}
