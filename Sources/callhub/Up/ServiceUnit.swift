/// The systemd unit of `callhub up --install`: config/callhub.service with another command.
enum ServiceUnit {
    /// The text of the unit.
    ///
    /// - Parameters:
    ///   - program: The absolute path of the program.
    ///   - arguments: The arguments of `callhub`, from `up` on.
    /// - Returns: The unit.
    static func text(program: String, arguments: [String]) -> String {
        let command = ([program] + arguments).map(word).joined(separator: " ")
        // Programs in a home folder cannot be seen with `yes`.
        let homes = ["/home/", "/root/", "/run/user/"].contains { program.hasPrefix($0) } ? "read-only" : "yes"
        return """
            # Written by callhub up --install; docs/operations.md explains the settings.

            [Unit]
            Description=CallHub, a call hub
            Documentation=https://www.freedesktop.org/software/systemd/man/sd_notify.html
            Wants=network-online.target
            After=network-online.target

            [Service]
            Type=notify
            NotifyAccess=main
            ExecStart=\(command)
            ExecReload=/bin/kill -HUP $MAINPID
            WatchdogSec=20
            Restart=on-failure
            RestartSec=1
            KillSignal=SIGTERM
            TimeoutStopSec=30
            LimitNOFILE=65536
            DynamicUser=yes
            StateDirectory=callhub
            StateDirectoryMode=0700
            WorkingDirectory=/var/lib/callhub
            UMask=0077
            AmbientCapabilities=CAP_NET_BIND_SERVICE
            CapabilityBoundingSet=CAP_NET_BIND_SERVICE
            NoNewPrivileges=yes
            ProtectSystem=strict
            ProtectHome=\(homes)
            PrivateTmp=yes
            PrivateDevices=yes
            ProtectClock=yes
            ProtectControlGroups=yes
            ProtectHostname=yes
            ProtectKernelLogs=yes
            ProtectKernelModules=yes
            ProtectKernelTunables=yes
            ProtectProc=invisible
            RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
            RestrictNamespaces=yes
            RestrictRealtime=yes
            RestrictSUIDSGID=yes
            LockPersonality=yes
            MemoryDenyWriteExecute=yes
            RemoveIPC=yes
            SystemCallArchitectures=native
            SystemCallFilter=@system-service
            SystemCallErrorNumber=EPERM

            [Install]
            WantedBy=multi-user.target

            """
    }

    /// A word of a command in a unit (systemd.service(5), "Command lines").
    static func word(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
            .replacing("$", with: "$$")
        let isPlain =
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"'\"\\;%$".utf8.contains($0) }
        return isPlain ? text : "\"\(escaped)\""
    }
}
