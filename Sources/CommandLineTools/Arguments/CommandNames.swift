extension String {
    /// A message of the hub's with the names of methods replaced by the commands that send them.
    package var namingCommands: String {
        let commands = [
            "admin.calls": "callhub admin calls", "admin.devices": "callhub admin devices",
            "directory.setEnabled": "callhub directory enable", "directory.status": "callhub directory list",
            "directory.load": "callhub directory load",
        ]
        return commands.reduce(self) { $0.replacing($1.key, with: $1.value) }
    }
}
