import CommandLineTools
import HubClient
import HubWire

// The phone as the screen and the buttons of another device of its account: `callhub operate`.
extension Phone {
    var isOperator: Bool { settings.operatedDevice != nil }

    /// Lists the calls that the device has.
    func beginOperating() {
        calls = client.session?.calls ?? []
        if !calls.isEmpty { listCalls() }
        fetchApp()
    }

    /// Requests the name of the device's app, which may have changed since the last call.
    func fetchApp() {
        let (client, post) = (client, post)
        Task {
            // A hub of an earlier version does not know them.
            guard case .providers(let list) = try? await client.send(.appearance(.list)) else { return }
            post.yield(.providers(list))
        }
    }

    /// Reports the name of the device's app if it is another one than before.
    func reportApp(among providers: [ListedProvider]) {
        let name = providers.first { $0.device?.id == settings.operatedDevice }?.name
        guard let name, name != app else { return }
        app = name
        reporter.report(PhoneEvent(event: "app", name: name), "The device's calls are those of \(visible(name)).")
    }

    /// Throws if an operator types what only a phone of its own can do.
    func check(_ command: TypedCommand) throws(UsageError) {
        guard isOperator else { return }
        switch command {
        case .pull, .go, .recents, .redial, .people, .away, .skip, .onHold:
            throw UsageError("That is a command of `callhub phone`; `help` lists those that operate a device.")
        default: return
        }
    }
}

extension TypedCommand {
    /// The names of an operator's commands.
    static let operatorVerbs = verbs.filter {
        !["pull", "go", "recents", "redial", "people", "away", "back", "skip", "onhold"].contains($0)
    }

    /// The commands of an operator.
    static let operatorList = """
        calls           list the device's calls, and the choices of those that ring; wherever a call is meant,
                        a number or a name from the list will do
        answer          answer the call that rings, holding the one before
        choose CHOICE   take a choice of the call that rings: choose endAndAccept; choose CHOICE CALL
        end             hang up, or decline; end all
        decline TEXT    decline, and have the caller read why: decline Nobody is at the door
        hold, resume    hold the active call, resume the held one
        swap            hold the active call and resume the held one
        merge           make one group of all calls; merge CALL: with the active one; merge CALL CALL
        split CALL      take a call out of the group, holding the rest
        transfer        connect the held call with the active one, and leave both; transfer CALL CALL connects
                        these two; transfer HANDLE gives the active one to somebody else, transfer CALL HANDLE
                        another one
        mute, unmute    keep the device's sound back, let it through
        keys DIGITS     key digits; those after a , follow a pause: keys 12,34
        call HANDLE     have the device call: call bob, call phoneNumber:+493012345
        ping            how long the way to the hub and back takes
        wait SECONDS    read the next command so much later: for scripts
        quit            leave; the device's calls go on
        """
}
