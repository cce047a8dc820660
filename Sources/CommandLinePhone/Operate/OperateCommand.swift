import CallAudio
import CommandLineClient
import CommandLineTools
import Foundation
import HubClient
import HubWire

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
        if !options.waits, let fault = await absence(of: options.settings.operatedDevice ?? "", client) {
            reporter.failure(fault)
            await client.close()
            return .usage
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

    /// Returns a sentence if the account has no signed-in device of an id; nil: it has, or the hub does not say.
    private static func absence(of id: String, _ client: HubClient) async -> String? {
        let request = ClientRequest.account(.devices(AdminPage(limit: nil, after: nil)))
        guard case .admin(.devices(let sessions, _)) = try? await client.send(request),
            let account = client.session?.account
        else { return nil }
        let devices = sessions.filter { $0.operates == nil }.map(\.device)
        guard !devices.contains(where: { $0.id == id }) else { return nil }
        let names = devices.compactMap { device in
            device.id.map { id in visible(id) + (device.name.map { " (\(visible($0)))" } ?? "") }
        }
        let there =
            names.isEmpty
            ? "no device of it is" : "signed in are " + names.prefix(20).joined(separator: ", ")
        return "no device of \(visible(account)) with the id \(quoted(id)) is signed in; \(there). "
            + "--wait operates it as soon as it is."
    }

    private static let help = """
        Usage: callhub operate ACCOUNT --device ID [OPTIONS]

        Shows the calls of another device of ACCOUNT, such as a door station or a gateway without a screen, and
        performs there what is typed: `answer`, `choose endAndAccept`, `hold`, `merge`, `keys 12`, `end`; `help`
        lists the commands. The device performs them as its own user's; its sound stays where it is. The device
        may sign in later with --wait. Who leaves ends no call.

        \(Arguments.table(OperateOptions.all))
        The account, or its token, needs the permission operate; accounts with a password have it.

        Commands are also taken from a pipe on standard input, a line each. A line waits for the effect of the one
        before: until the hub has answered, and the device's calls are as the command wishes, 10 s at most. The
        first line that is refused, is no command or has no effect ends the script, unless there is --keep-going.

        Exit code: 0 left as wished; 1 the command line is wrong, or the device is not signed in; 2 the hub cannot
        be reached, does not let the account in, or was lost for good; 3 a command of a script was refused, is none
        or had no effect.

        Examples:
          callhub operate door --device entrance                    a terminal with the buttons of the device
          echo answer | callhub operate door --device entrance      answers the call that rings now
          callhub operate door --device entrance --json --for 60 | jq -r .call.state
          printf 'wait 2\\nkeys 9\\nend\\n' | callhub operate --token-file door.jwt --device entrance

        Events of --json: those of `callhub phone --json` that are about calls, commands and the connection:
        signedIn (with `device`), app (with `name`: the app whose calls they are), call, calls, ping, message, connectionLost, resumed, reset, refreshed, closing,
        error, ended.

        """
}
