import CallAudio
import CommandLineClient
import CommandLineTools
import Foundation
import HubClient

/// `callhub operate`: the screen and the buttons of another device, in a terminal or for scripts.
package enum OperateCommand {
    /// Runs until the operator leaves; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let options: OperateOptions
        do {
            let parsed = try Arguments(arguments, options: OperateOptions.all + [PhoneOptions.shortHelp])
            if parsed.has(PhoneOptions.longHelp) || parsed.has(PhoneOptions.shortHelp) {
                Console.out(help)
                return PhoneExit.ended.rawValue
            }
            options = try OperateOptions(parsed, environment: ProcessInfo.processInfo.environment)
        } catch {
            Console.err("callhub operate: \(error.message)\n")
            return PhoneExit.usage.rawValue
        }
        do {
            return try await start(options).rawValue
        } catch {
            Console.err("callhub operate: \(error)\n")
            return PhoneExit.noHub.rawValue
        }
    }

    private static func start(_ options: OperateOptions) async throws -> PhoneExit {
        let reporter = PhoneReporter(json: options.json, toStandardError: false, program: "callhub operate")
        var clientOptions = options.signIn.access.clientOptions
        clientOptions.clientName = "callhub operate"
        clientOptions.permissions = [.operate]
        clientOptions.operatedDeviceID = options.settings.operatedDevice
        let client: HubClient
        do throws(CommandFailure) {
            client = try await options.signIn.connect(as: options.account, clientOptions)
        } catch {
            reporter.failure(error.message)
            return error.code == PhoneExit.usage.rawValue ? .usage : .noHub
        }
        let phone = Phone(
            settings: options.settings,
            client: client,
            // The sound remains with the device.
            audio: try CallAudioThread(source: nil, isLive: false, sink: nil),
            reporter: reporter,
            takesCommands: true
        )
        return await phone.run()
    }

    private static let help = """
        Usage: callhub operate ACCOUNT --device ID [OPTIONS]

        Shows the calls of another device of ACCOUNT, such as a door station or a gateway without a screen, and
        performs there what is typed: `answer`, `choose endAndAccept`, `hold`, `merge`, `keys 12`, `end`; `help`
        lists the commands. The device performs them as its own user's; its sound stays where it is. The device
        may sign in later. Who leaves ends no call.

        \(Arguments.table(OperateOptions.all))
        The account, or its token, needs the permission operate; accounts with a password have it.

        Commands are also taken from a pipe on standard input, a line each. A line does not wait for the effect of
        the one before: put `wait 1` between them. A refused line does not end a script.

        Exit code: 0 left as wished; 1 the command line is wrong; 2 the hub cannot be reached, does not let the
        account in, or was lost for good; 3 a command of a script was refused or is none.

        Examples:
          callhub operate door --device entrance                    a terminal with the buttons of the device
          echo answer | callhub operate door --device entrance      answers the call that rings now
          callhub operate door --device entrance --json --for 60 | jq -r .call.state
          printf 'wait 2\\nkeys 9\\nend\\n' | callhub operate --token-file door.jwt --device entrance

        Events of --json: those of `callhub phone --json` that are about calls, commands and the connection:
        signedIn (with `device`), call, calls, ping, message, connectionLost, resumed, reset, refreshed, closing,
        error, ended.

        """
}
