import HubClient
import HubTestSupport

/// The faults that a device suffers at random.
extension SoakDevice {
    /// Causes one fault at random.
    func fail(_ client: HubClient) async {
        switch chance(0...99) {
        case ..<22:
            ledger.deed("lose the connection", isFault: true)
            client.breakConnection()
        case ..<40:
            ledger.deed("reset", isFault: true)
            link.reset()
        case ..<58: await freeze("freeze", .both, milliseconds: chance(100...2_500))
        case ..<66: await freeze("hear nothing", .fromHub, milliseconds: chance(500...5_000))
        case ..<74: await freeze("be unheard", .toHub, milliseconds: chance(500...5_000))
        // Longer than the hub keeps a lost connection's calls.
        case ..<80: await freeze("come back late", .both, milliseconds: chance(9_500...12_000))
        case ..<86: await refuse(client)
        case ..<93:
            ledger.deed("leave", isFault: true)
            await leave()
        default:
            ledger.deed("sign in twice", isFault: true)
            await signIn()
        }
    }

    private func freeze(_ name: String, _ directions: FaultyLink.Directions, milliseconds: Int) async {
        ledger.deed(name, isFault: true)
        link.goSilent(directions)
        await pause(milliseconds: milliseconds)
        link.comeBack()
    }

    /// Refuses connections for a while, after resetting the present one.
    private func refuse(_ client: HubClient) async {
        ledger.deed("be refused", isFault: true)
        link.refuse()
        link.reset()
        await pause(milliseconds: chance(200...4_000))
        link.comeBack()
    }
}
