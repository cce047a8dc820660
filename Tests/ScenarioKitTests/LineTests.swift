import HubAccountData
import HubEngine
import ScenarioKit
import Testing

/// The parsing of lines.
@Suite struct LineTests {
    /// The parties and calls that the lines refer to.
    static let before = """
        party alice on phone, laptop
        parties bob, carol
        alice calls bob as A
        carol calls bob as B

        """

    @Test(
        arguments: [
            (
                "alice calls bob",
                .transaction(DeviceReference("alice"), [.call(.party("bob"), "C", isVideo: false)], refusal: nil)
            ),
            (
                "alice's laptop calls echo as X with video",
                .transaction(
                    DeviceReference("alice", device: "laptop"),
                    [.call(.handle(.generic("echo")), "X", isVideo: true)],
                    refusal: nil
                )
            ),
            (
                "bob: call phoneNumber:4912345 with video as X",
                .transaction(
                    DeviceReference("bob"),
                    [.call(.handle(Handle(type: .phoneNumber, value: "4912345")), "X", isVideo: true)],
                    refusal: nil
                )
            ),
            (
                "bob: hold A, answer B",
                .transaction(DeviceReference("bob"), [.setHeld("A", true), .answer("B")], refusal: nil)
            ),
            (
                "bob cannot unhold A: invalidAction",
                .transaction(DeviceReference("bob"), [.setHeld("A", false)], refusal: "invalidAction")
            ),
            ("bob: nothing", .transaction(DeviceReference("bob"), [], refusal: nil)),
            ("bob: end A here", .transaction(DeviceReference("bob"), [.endHere("A")], refusal: nil)),
            (
                "bob: decline A saying \"Can't talk now\"",
                .transaction(
                    DeviceReference("bob"),
                    [.decline("A", saying: "Can't talk now", isHere: false)],
                    refusal: nil
                )
            ),
            (
                "bob: end A here saying \"Later\", hold B",
                .transaction(
                    DeviceReference("bob"),
                    [.decline("A", saying: "Later", isHere: true), .setHeld("B", true)],
                    refusal: nil
                )
            ),
            (
                "bob: named in groups off",
                .changeAccountData(DeviceReference("bob"), .namedInGroups(false), refusal: nil)
            ),
            ("bob: hold audio music", .changeAccountData(DeviceReference("bob"), .holdAudio(.music), refusal: nil)),
            (
                "bob: transfers of strangers off",
                .changeAccountData(DeviceReference("bob"), .transfersOfStrangers(false), refusal: nil)
            ),
            ("bob: group A with B", .transaction(DeviceReference("bob"), [.setGroup("A", with: "B")], refusal: nil)),
            (
                "bob: transfer A to B",
                .transaction(DeviceReference("bob"), [.transfer("A", to: .call("B"))], refusal: nil)
            ),
            (
                "bob: transfer A to alice",
                .transaction(DeviceReference("bob"), [.transfer("A", to: .target(.party("alice")))], refusal: nil)
            ),
            ("bob: split A", .transaction(DeviceReference("bob"), [.setGroup("A", with: nil)], refusal: nil)),
            ("bob: key 12# on A", .transaction(DeviceReference("bob"), [.key("12#", "A")], refusal: nil)),
            ("bob: key 1,2;3 on A", .transaction(DeviceReference("bob"), [.key("1,2;3", "A")], refusal: nil)),
            ("bob: key \"#\" on A  # pressed", .transaction(DeviceReference("bob"), [.key("#", "A")], refusal: nil)),
            (
                "bob: translate A to ko",
                .transaction(DeviceReference("bob"), [.setTranslating("A", true, from: nil, to: "ko")], refusal: nil)
            ),
            ("bob: end held and accept A", .choose(DeviceReference("bob"), .endHeldAndAccept, "A")),
            ("bob: hold and accept A", .choose(DeviceReference("bob"), .holdAndAccept, "A")),
            ("bob: swap", .swap(DeviceReference("bob"), nil, nil)),
            ("bob: try swap", .attempt(.swap(DeviceReference("bob"), nil, nil))),
            ("bob: try answer A", .attempt(.transaction(DeviceReference("bob"), [.answer("A")], refusal: nil))),
            ("bob: swap A with B", .swap(DeviceReference("bob"), "A", "B")),
            ("bob ignores unhold A", .respond(DeviceReference("bob"), .ignores, .unhold, "A")),
            (
                "bob fulfills translate A by custom",
                .respond(DeviceReference("bob"), .fulfillsBy(.custom), .translate, "A")
            ), ("bob fulfills translate A", .respond(DeviceReference("bob"), .fulfills, .translate, "A")),
            ("bob fulfills nothing", .fulfillsEverything(DeviceReference("bob"), false)),
            ("bob passes the transaction on", .executed(DeviceReference("bob"), handled: false)),
            (
                "bob: configure no offered transactions",
                .configure(DeviceReference("bob"), ProviderConfiguration(), offered: false, refusal: nil)
            ),
            (
                "bob reports A ended: remoteEnded",
                .report(DeviceReference("bob"), .ended("A", .remoteEnded), refusal: nil)
            ),
            (
                "bob cannot report a call from carol: filteredByBlockList",
                .report(
                    DeviceReference("bob"),
                    .incoming(.party("carol"), "C", CallUpdate()),
                    refusal: "filteredByBlockList"
                )
            ),
            (
                "bob: do not disturb on",
                .changeAccountData(DeviceReference("bob"), .doNotDisturb(true, isThisDeviceOnly: false), refusal: nil)
            ),
            (
                "bob: do not disturb off here",
                .changeAccountData(DeviceReference("bob"), .doNotDisturb(false, isThisDeviceOnly: true), refusal: nil)
            ),
            (
                "bob cannot load directory d: block 2, 1 is \"x\", block 1: entriesOutOfOrder",
                .changeAccountData(
                    DeviceReference("bob"),
                    .loadDirectory("d", blocking: [2, 1], labels: [.init(number: 1, label: "x")]),
                    refusal: "entriesOutOfOrder"
                )
            ),
            (
                "bob: load directory d titled \"Acme\": nothing",
                .changeAccountData(
                    DeviceReference("bob"),
                    .loadDirectory("d", title: "Acme", blocking: [], labels: []),
                    refusal: nil
                )
            ),
            (
                "bob: cancel directory d saying \"no list\"",
                .changeAccountData(
                    DeviceReference("bob"),
                    .cancelDirectoryLoad("d", message: "no list"),
                    refusal: nil
                )
            ),
            (
                "bob cannot reload directory d: noExtensionFound",
                .changeAccountData(DeviceReference("bob"), .reloadDirectory("d"), refusal: "noExtensionFound")
            ),
            (
                "bob: show icon monkey, no ringtone",
                .showAppearance(
                    DeviceReference("bob"),
                    AppearanceChange(icon: .named("monkey"), ringtone: .nothing),
                    refusal: nil
                )
            ),
            (
                "bob cannot show ringtone \"two bells\": tooMany",
                .showAppearance(
                    DeviceReference("bob"),
                    AppearanceChange(ringtone: .named("two bells")),
                    refusal: "tooMany"
                )
            ),
            ("bob cannot resume: sessionGone", .connection(DeviceReference("bob"), .resumes, refusal: "sessionGone")),
            (
                "bob is delayed by 80 ms",
                .connection(DeviceReference("bob"), .isDelayed(by: .milliseconds(80)), refusal: nil)
            ),
            (
                "bob is throttled to 20 kbit/s",
                .connection(DeviceReference("bob"), .isThrottled(toBitsPerSecond: 20_000), refusal: nil)
            ),
            ("bob plays \"my song.ogg\"", .audioSource(DeviceReference("bob"), .file("my song.ogg"))),
            ("hub is killed", .hub(.isKilled)),
            ("clock jumps 1.5 min", .clockJumps(.seconds(90))),
            ("wait 0.25 s", .wait(.milliseconds(250))),
        ] as [(String, StepAction)]
    )
    func `a step is parsed to its action`(line: String, stepAction: StepAction) throws {
        let scenario = try ScenarioText.scenarios(parsing: Self.before + line)[0]
        #expect(scenario.steps.last?.stepAction == stepAction)
        #expect(scenario.steps.last?.line == 5)
    }

    @Test(
        arguments: [
            (
                "bob's A is connected, not muted, not video",
                .call(DeviceReference("bob"), "A", [.state(.connected), .muted(false), .not(.video)])
            ),
            ("bob's A is held by remote", .call(DeviceReference("bob"), "A", [.heldByRemote(true)])),
            ("bob's A is held", .call(DeviceReference("bob"), "A", [.state(.held)])),
            (
                "alice's laptop's A is incoming",
                .call(DeviceReference("alice", device: "laptop"), "A", [.outgoing(false)])
            ),
            ("bob's A is not grouped with B", .call(DeviceReference("bob"), "A", [.not(.groupedWith("B"))])),
            ("bob's A ended: locally", .call(DeviceReference("bob"), "A", [.ended(nil, because: nil)])),
            (
                "bob's A ended: remoteEnded because declined",
                .call(DeviceReference("bob"), "A", [.ended(.remoteEnded, because: .declined)])
            ),
            (
                "bob's A offers accept, hold and accept",
                .call(DeviceReference("bob"), "A", [.offers([.accept, .holdAndAccept])])
            ),
            (
                "bob's A includes alice, somebody and echo named \"Echo\"",
                .call(
                    DeviceReference("bob"),
                    "A",
                    [
                        .includes([
                            .person(.party("alice"), named: nil), .somebody,
                            .person(.handle(.generic("echo")), named: "Echo"),
                        ])
                    ]
                )
            ),
            ("bob's A is with alice", .call(DeviceReference("bob"), "A", [.with(.party("alice"))])),
            (
                "bob's A is not transferred by alice",
                .call(DeviceReference("bob"), "A", [.not(.transferredBy(.party("alice")))])
            ),
            ("bob's A came back: declined", .call(DeviceReference("bob"), "A", [.returned(.declined)])),
            ("bob's A came back", .call(DeviceReference("bob"), "A", [.returned(nil)])),
            ("bob's A includes nobody", .call(DeviceReference("bob"), "A", [.includes([])])),
            ("bob's A says \"Later\"", .call(DeviceReference("bob"), "A", [.says("Later")])),
            ("bob's A says nothing", .call(DeviceReference("bob"), "A", [.says(nil)])),
            (
                "bob's A shows \"Eve\" from directory",
                .call(DeviceReference("bob"), "A", [.shows("Eve", from: .directory)])
            ),
            (
                "bob's A shows \"Eve\" from directory titled \"Acme\"",
                .call(DeviceReference("bob"), "A", [.shows("Eve", from: .directory, titled: "Acme")])
            ),
            ("bob's directories: nothing", .directories(DeviceReference("bob"), [])),
            ("bob has no calls", .callCount(DeviceReference("bob"), 0)),
            ("bob is told perform hold A", .receivesNotification(DeviceReference("bob"), .perform(.hold, "A"))),
            ("bob is told dtmf 12", .receivesNotification(DeviceReference("bob"), .digits("12"))),
            (
                "bob is not told timedOutPerforming",
                .receivesNoNotification(DeviceReference("bob"), .notification("timedOutPerforming"))
            ),
            ("alice's phone's audio is on for A", .audio(DeviceReference("alice", device: "phone"), "A")),
            (
                "bob's recents: missed from alice, silenced, answered to carol",
                .recents(
                    DeviceReference("bob"),
                    [
                        RecentCallMatcher(.missed, .party("alice"), isIncoming: true, isSilenced: true),
                        RecentCallMatcher(.answered, .party("carol"), isIncoming: false),
                    ]
                )
            ),
            (
                "bob's recents: answered from alice with video by \"Door\", silenced",
                .recents(
                    DeviceReference("bob"),
                    [
                        RecentCallMatcher(
                            .answered,
                            .party("alice"),
                            isIncoming: true,
                            hasVideo: true,
                            provider: "Door",
                            isSilenced: true
                        )
                    ]
                )
            ),
            ("bob's recents: nothing", .recents(DeviceReference("bob"), [])),
            ("bob's providers: nothing", .providers(DeviceReference("bob"), [])),
            (
                "alice's laptop's providers: \"Hotline\" on phone with icon monkey and a ringtone, former \"Door\"",
                .providers(
                    DeviceReference("alice", device: "laptop"),
                    [
                        ProviderMatcher("Hotline", on: .named("phone"), icon: .named("monkey"), ringtone: .any),
                        ProviderMatcher("Door", on: .former),
                    ]
                )
            ),
            (
                "bob's providers: with an icon and ringtone bells",
                .providers(DeviceReference("bob"), [ProviderMatcher(nil, icon: .any, ringtone: .named("bells"))])
            ),
            (
                "bob hears alice, carol and music for 1 s",
                .hears(DeviceReference("bob"), [.party("alice"), .party("carol"), .music], for: .seconds(1))
            ),
            ("bob hears herself", .hears(DeviceReference("bob"), [.party("bob")], for: nil)),
            ("carol never hears alice", .neverHears(DeviceReference("carol"), .party("alice"))),
            (
                "either bob's A is ended or bob hears nothing or bob rings",
                .either([
                    .call(DeviceReference("bob"), "A", [.state(.ended)]),
                    .hearsNothing(DeviceReference("bob"), for: nil), .rings(DeviceReference("bob")),
                ])
            ),
        ] as [(String, Assertion)]
    )
    func `an expectation is parsed to its condition`(line: String, expectation: Assertion) throws {
        let scenario = try ScenarioText.scenarios(parsing: Self.before + "expect " + line)[0]
        #expect(scenario.steps.last?.stepAction == .expect(expectation, within: nil))
    }

    @Test func `an expectation may have its own timeout`() throws {
        let text = Self.before + "expect bob hears alice for 1 s within 150 ms"
        let expectation = Assertion.hears(DeviceReference("bob"), [.party("alice")], for: .seconds(1))
        #expect(
            try ScenarioText.scenarios(parsing: text)[0].steps.last?.stepAction
                == .expect(expectation, within: .milliseconds(150))
        )
    }

    @Test func `the header lines declare the parties and the hub's settings`() throws {
        let scenario = try ScenarioText.scenarios(
            parsing: """
                scenario The title: all of it  # but not this
                proves CK-37, P5
                party alice on phone, laptop: manual, streams, groups 1, handle types phoneNumber and generic
                party bob: may not call
                parties carol
                party dave: offered transactions, away, plays song.ogg, video, no recents, calls per group 3, observes
                hub: ring timeout 2 s, grace 500 ms, calls per device 3
                patience 5 s
                seed 42
                alice calls bob
                """
        )[0]
        #expect(scenario.title == "The title: all of it")
        #expect(scenario.proves == ["CK-37", "P5"])
        #expect(scenario.timeout == .seconds(5))
        #expect(scenario.seed == 42)
        #expect(scenario.settings.ringTimeout == .seconds(2))
        #expect(scenario.settings.resumeGrace == .milliseconds(500))
        #expect(scenario.settings.callsPerDevice == 3)
        var alice = Party("alice")
        alice.devices = ["phone", "laptop"]
        (alice.isManual, alice.wantsStreams, alice.configuration.maximumCallGroups) = (true, true, 1)
        alice.configuration.supportedHandleTypes = [.generic, .phoneNumber]
        var dave = Party("dave")
        (dave.executesTransactions, dave.isAway, dave.observes) = (true, true, true)
        dave.audioSource = .file("song.ogg")
        dave.configuration.supportsVideo = true
        dave.configuration.includesCallsInRecents = false
        dave.configuration.maximumCallsPerCallGroup = 3
        var bob = Party("bob")
        bob.mayCall = false
        #expect(scenario.parties == [alice, bob, Party("carol"), dave])
    }

    @Test func `without declarations the parties are those that call or are called`() throws {
        let scenario = try ScenarioText.scenarios(
            parsing: """
                dave: do not disturb on
                alice calls carol
                bob: call dave as X, call echo
                eve reports a call from phoneNumber:1
                """,
            file: "stories/several.scenario"
        )[0]
        #expect(scenario.parties.map(\.name) == ["alice", "carol", "bob", "dave", "eve"])
        #expect(scenario.title == "several")
    }

    @Test func `a call without a name gets the next free letter`() throws {
        let scenario = try ScenarioText.scenarios(
            parsing: """
                alice calls bob
                alice calls bob as B
                alice cannot call bob: invalidAction
                alice calls bob
                """
        )[0]
        let names: [CallName] = scenario.steps.compactMap { step in
            guard case .transaction(_, let actions, _) = step.stepAction, case .call(_, let name, _)? = actions.first
            else {
                return nil
            }
            return name
        }
        #expect(names == ["A", "B", "C", "C"])
    }

    @Test func `lines may have Windows line ends`() throws {
        let scenario = try ScenarioText.scenarios(parsing: "together:\r\n  alice calls bob\r\n  bob calls alice\r\n")[0]
        guard case .together(let steps)? = scenario.steps.first?.stepAction else {
            Issue.record("\(scenario)")
            return
        }
        #expect(steps.map(\.line) == [2, 3])
    }
}
