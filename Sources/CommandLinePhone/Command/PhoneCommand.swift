import CallAudio
import CommandLineClient
import CommandLineTools
import Foundation
import HubClient
import HubMedia

/// `callhub phone`: a phone for people in a terminal, and for scripts.
package enum PhoneCommand {
    /// Runs until the phone exits; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        var options: PhoneOptions
        do {
            let parsed = try Arguments(arguments, options: PhoneOptions.all + [PhoneOptions.shortHelp])
            if parsed.has(PhoneOptions.longHelp) || parsed.has(PhoneOptions.shortHelp) {
                Console.out(help)
                return PhoneExit.ended.rawValue
            }
            options = try PhoneOptions(parsed, environment: ProcessInfo.processInfo.environment)
        } catch {
            Console.err("callhub phone: \(error.message)\n")
            return PhoneExit.usage.rawValue
        }
        do {
            // At a terminal the user presses a key; elsewhere the link's callee is called at once.
            if let link = options.settings.link, !Terminal.isInteractive { options.settings.call = link.callee }
            return try await start(options).rawValue
        } catch let error as MediaError {
            Console.err("callhub phone: \(error)\n")
            return PhoneExit.sound.rawValue
        } catch {
            Console.err("callhub phone: \(error)\n")
            return PhoneExit.noHub.rawValue
        }
    }

    private static func start(_ options: PhoneOptions) async throws -> PhoneExit {
        // The files are opened first: a mistyped name is reported before any phone rings.
        let input = try AudioInput(argument: options.play)
        let sink = try AudioOutput(argument: options.record).open()
        let audio = try CallAudioThread(source: input.open(), isLive: input.isLive, sink: sink)
        let reporter = PhoneReporter(json: options.json, toStandardError: options.record == "-")

        let client: HubClient
        do throws(CommandFailure) {
            client = try await options.signIn.connect(
                as: options.account,
                clientOptions(options, audio: audio),
                mayAsk: options.play != "-"
            )
        } catch {
            reporter.failure(error.message)
            _ = try? audio.finish()
            return error.code == PhoneExit.usage.rawValue ? .usage : .noHub
        }
        let phone = Phone(
            settings: options.settings,
            client: client,
            audio: audio,
            reporter: reporter,
            takesCommands: options.play != "-"
        )
        return await phone.run()
    }

    private static func clientOptions(_ options: PhoneOptions, audio: CallAudioThread) -> ClientOptions {
        var result = options.signIn.access.clientOptions
        result.deviceName = options.deviceName
        result.guestName = options.guestName
        result.clientName = "callhub phone"
        result.audioDelivery = .streams
        result.onAudio = { audio.received($0) }
        result.onAudioSources = { audio.setSources($0) }
        // A call does not outlive its hub for long; a phone that waits for calls keeps reconnecting.
        if options.settings.call != nil || options.settings.answers { result.timing.reconnectTimeout = .seconds(90) }
        return result
    }

    private static let help = """
        Usage: callhub phone ACCOUNT [OPTIONS]
               callhub phone --link URL [--name NAME] [OPTIONS]

        Signs in to a hub as ACCOUNT and is a phone: in a terminal by commands that are typed (`help` lists
        them), in scripts by options. A lost connection is resumed by itself, and the calls go on.

        \(Arguments.table(PhoneOptions.all))
        HANDLE is bob (that is generic:bob), phoneNumber:+493012345, emailAddress:x@example.org, or a link
        callhub:HANDLE. Every hub has echo, tone and music. A hub that wants a password asks for it on
        a terminal; with a token ACCOUNT may be left out. A newer token in FILE is sent in time; calls go on.

        Commands are also taken from a pipe on standard input, a line each, unless --play - reads sound there.
        When --record - writes sound to standard output, everything else goes to standard error.

        Exit code: 0 a call took place, or the phone was ended as wished; 1 the command line is wrong;
        2 the hub cannot be reached, does not let the account in, or was lost for good; 3 a call was asked for
        and none took place (declined, unanswered, failed, nobody called); 4 sound cannot be read or written.

        Examples:
          callhub phone alice                                       a phone in the terminal
          callhub phone alice --play alsa:default --record alsa:default        with microphone and speaker
          callhub phone alice --call echo --play hello.wav --record back.wav
          callhub phone bob --answer --play greeting.ogg --record message.ogg --for 30
          arecord -q -f S16_LE -r 48000 -c 1 | callhub phone alice --call bob --play - --record - |
              aplay -q -f S16_LE -r 48000 -c 1
          callhub phone alice --call bob --json | jq .event
          callhub phone alice --password-stdin --call bob < alice.password
          callhub phone --token-file alice.jwt --answer

        Events of --json: each object has `event` and `time`, and by its event
          signedIn        account, hub, session
          link            handle                                       (the callee of --link; the Return key calls)
          call            call: {uuid, handle, name, isOutgoing, state, isOnHold, isMuted, remoteIsRinging,
                          remoteIsOnHold, group, endedReason, cause, message, participants: [{handle, name,
                          nameSource} …], seconds, choices}; those that do not apply are left out
          calls           calls: [call …]                              (the answer to the command `calls`)
          recents         recents: [{id, handle, name, isOutgoing, outcome, silenced, seen, startedAt, seconds} …]
          elsewhere       elsewhere: [{uuid, isOutgoing, isOnHold, hasConnected, device, deviceName} …]
                                                                       (to be pulled from other devices)
          audio           isActive, ssrc, callUUIDs                    (the audio session)
          sources         sources: [{ssrc, call, handle, name} …]      (who is heard)
          dtmf            callUUID, digits
          keysWait        callUUID, digits                             (keys after a `;`, for the command `go`)
          played          -                                            (the file of --play is over)
          skipped         until                                        (the answer to the command `skip`)
          onhold          sound                                        (the answer to the command `onhold`)
          ping            milliseconds                                 (the answer to the command `ping`)
          connectionLost  reason
          resumed, reset  -
          refreshed       -                                            (the hub has taken a newer token)
          closing         reason
          error           message, code                                (a refusal of the hub's, or a wrong command)
          heard           packets, latePackets, concealedMilliseconds  (before the end)
          ended           exit                                         (the last one)

        """
}
