import HubClient
import HubSimulation
import HubTestSupport

/// One device of a soak, which signs in and takes random actions, again and again.
actor SoakDevice {
    /// The emulated network between the device and the hub.
    nonisolated let link: FaultyLink
    /// The name in findings.
    nonisolated let name: String
    let number: Int
    let account: String
    let accounts: Int
    let settings: SoakDeviceSettings
    let counters: SoakCounters
    let audioSender: SoakAudioSender
    var random: SeededRandom
    /// The client; nil while the device is signed out.
    private(set) var client: HubClient?
    /// True while the device waits at the gate.
    private(set) var isWaiting = false

    init(
        number: Int,
        account: Int,
        accounts: Int,
        settings: SoakDeviceSettings,
        seed: UInt64,
        link: FaultyLink,
        counters: SoakCounters,
        audioSender: SoakAudioSender
    ) {
        self.number = number
        self.account = "p\(account)"
        self.accounts = accounts
        self.settings = settings
        self.link = link
        self.counters = counters
        self.audioSender = audioSender
        name = "p\(account)/d\(number)"
        random = SeededRandom(seed: seed)
    }

    /// Takes actions until the gate ends the soak.
    func runLoad(_ gate: SoakGate) async {
        while true {
            isWaiting = true
            let goesOn = await gate.pass()
            isWaiting = false
            guard goesOn else { break }
            if let client { await act(client) } else { await signIn() }
            await pause(milliseconds: randomNumber(1...2 * settings.milliseconds))
        }
    }

    func randomNumber(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Returns true in `percent` of 100 cases, at random.
    func happens(_ percent: Int) -> Bool { randomNumber(0...99) < percent }

    // MARK: Sessions

    /// Signs in; if the device is signed in already, the hub ends the older session.
    func signIn() async {
        counters.countAction("sign in")
        do throws(HubClientError) {
            let new = try await HubClient.connect(
                to: "ws://127.0.0.1:\(link.port)/v1",
                account: account,
                options: options
            )
            counters.note { $0.signIns += 1 }
            client = new
            audioSender.set(new, of: number)
            Task { [weak self] in
                for await event in new.events { await self?.note(event, of: new) }
            }
        } catch {
            counters.note { $0.failedSignIns += 1 }
        }
    }

    /// Signs out.
    func leave() async {
        guard let leaving = client else { return }
        forget(leaving)
        await leaving.close()
    }

    /// Requests the end of all its calls.
    func endCalls() async {
        guard let client else { return }
        for call in client.currentCalls {
            await ask("end") { () throws(HubClientError) in try await client.end(call.uuid) }
        }
    }

    private func forget(_ gone: HubClient) {
        guard client === gone else { return }
        client = nil
        audioSender.set(nil, of: number)
    }

    /// The options, which vary with the device's number: fulfilment, transactions offered as a whole, observing.
    private var options: ClientOptions {
        var options = ClientOptions()
        options.deviceID = "d\(number)"
        options.fulfillment = number % 4 == 3 ? .manual : .automatic
        options.executesTransactions = number % 8 == 7
        options.permissions = number % 3 == 0 ? [.call, .observe] : [.call]
        options.audioDelivery = .streams
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = 1 + number % 3
        options.provider = provider
        options.timing.pingAfterIdle = .seconds(1)
        options.timing.lostAfterIdle = .seconds(3)
        options.timing.secondConnectionAfterIdle = .seconds(1)
        options.timing.responseTimeout = .seconds(5)
        // Each client has its own: a replaced client may still receive audio when the next one is sent its sources.
        let audioReceiver = SoakAudioReceiver(name, counters)
        options.onAudio = { audioReceiver.receive($0) }
        options.onAudioSources = { audioReceiver.name($0) }
        return options
    }

    // MARK: Events

    private func note(_ event: ClientEvent, of source: HubClient) {
        switch event {
        case .notification(.callChanged(let call)) where call.hasEnded:
            let cause = call.cause?.rawValue ?? call.endedReason.map { "\($0)" } ?? "local"
            counters.note {
                $0.callsEnded += 1
                $0.callsEndedByCause[cause, default: 0] += 1
            }
        case .notification(.perform(_, let action, _, _, fulfilled: false)): perform(action.uuid, on: source)
        case .notification(.execute(let transaction, let actions)): decide(transaction, actions, on: source)
        case .notification, .connectionLost, .refreshed: break
        case .resumed: counters.note { $0.resumes += 1 }
        case .reset:
            counters.note {
                $0.resets += 1
                $0.signIns += 1
            }
        case .missedNotifications(let expected, let received):
            counters.note { $0.missedNotifications += 1 }
            counters.addFault("\(name) expected notification \(expected) and was sent \(received)")
        case .unexpectedMessage(let text):
            counters.note { $0.unexpectedMessages += 1 }
            counters.addFault("\(name) was sent an unreadable message: \(text.prefix(200))")
        case .ended: forget(source)
        }
    }

    /// Most actions are fulfilled, some fail, some are left unanswered until the hub's timeout.
    private func perform(_ action: ActionUUID, on client: HubClient) {
        let dice = randomNumber(0...99)
        guard dice < 93 else { return }
        Task {
            await ask("fulfil") { () throws(HubClientError) in
                if dice < 85 { try await client.fulfill(action) } else { try await client.fail(action) }
            }
        }
    }

    private func decide(_ transaction: TransactionUUID, _ actions: [Action], on client: HubClient) {
        let handles = happens(50)
        Task {
            await ask("decide") { () throws(HubClientError) in try await client.executed(transaction, handled: handles)
            }
            for action in actions where handles { perform(action.uuid, on: client) }
        }
    }

    // MARK: Requests

    /// Sends a request to the hub and counts its result.
    func ask(_ countAction: String, _ body: () async throws(HubClientError) -> Void) async {
        counters.countAction(countAction)
        do throws(HubClientError) {
            try await body()
        } catch .refused(let refusal) {
            counters.note {
                $0.refusals += 1
                $0.refusalsByCode[refusal.code.number, default: 0] += 1
            }
        } catch .connectionLost, .noResponse {
            counters.note { $0.unanswered += 1 }
        } catch .malformedResponse(let method) {
            counters.note { $0.unexpectedMessages += 1 }
            counters.addFault("\(name) cannot read the answer to \(method)")
        } catch {
            // The request was not sent: the connection is lost, or the session is over.
        }
    }
}
