// `make simulate` and `make test`: worlds from seeds until the events are had, or a rule is broken.

import Foundation
import HubSimulation

@main struct Simulate {
    static func main() async {
        guard let order = SimulateOptions(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(
                Data("usage: callhub-simulate [--seed N] [--seeds N] [--steps N] [--narrate] [--counts]\n".utf8)
            )
            exit(2)
        }
        exit(await order.carryOut() ? 0 : 1)
    }
}
