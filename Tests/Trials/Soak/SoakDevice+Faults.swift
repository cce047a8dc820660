import HubClient
import HubTestSupport

/// The faults that a device suffers at random.
extension SoakDevice {
    /// Causes one fault at random.
    func fail(_ client: HubClient) async {
        switch randomNumber(0...99) {
        case ..<22:
            counters.countAction("lose the connection", isFault: true)
            client.breakConnection()
        case ..<40:
            counters.countAction("reset", isFault: true)
            link.reset()
        case ..<58: await freeze("freeze", .both, milliseconds: randomNumber(100...2_500))
        case ..<66: await freeze("hear nothing", .fromHub, milliseconds: randomNumber(500...5_000))
        case ..<74: await freeze("be unheard", .toHub, milliseconds: randomNumber(500...5_000))
        // Longer than the hub keeps a lost connection's calls.
        case ..<80: await freeze("come back late", .both, milliseconds: randomNumber(9_500...12_000))
        case ..<86: await refuse(client)
        case ..<93:
            counters.countAction("leave", isFault: true)
            await leave()
        default:
            counters.countAction("sign in twice", isFault: true)
            await signIn()
        }
    }

    private func freeze(_ name: String, _ directions: FaultyLink.Directions, milliseconds: Int) async {
        counters.countAction(name, isFault: true)
        link.stallTraffic(directions)
        await pause(milliseconds: milliseconds)
        link.restore()
    }

    /// Refuses connections for a while, after resetting the present one.
    private func refuse(_ client: HubClient) async {
        counters.countAction("be refused", isFault: true)
        link.refuse()
        link.reset()
        await pause(milliseconds: randomNumber(200...4_000))
        link.restore()
    }
}
