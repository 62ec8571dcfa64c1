/** Directives of systemd 252 and newer that units of this project may use, by section (systemd.unit, .service, .exec). */
export const DIRECTIVES: Readonly<Record<string, readonly string[]>> = {
  Unit: [
    'Description',
    'Documentation',
    'Wants',
    'Requires',
    'After',
    'Before',
    'StartLimitBurst',
    'StartLimitIntervalSec',
  ],
  Install: ['WantedBy', 'RequiredBy', 'Alias'],
  Service: [
    ...['Type', 'ExecStart', 'ExecReload', 'WorkingDirectory', 'Environment', 'EnvironmentFile', 'LoadCredential'],
    ...['Restart', 'RestartSec', 'TimeoutStartSec', 'TimeoutStopSec', 'KillSignal'],
    ...['DynamicUser', 'User', 'Group', 'StateDirectory', 'StateDirectoryMode', 'UMask'],
    ...['NoNewPrivileges', 'CapabilityBoundingSet', 'AmbientCapabilities', 'LockPersonality'],
    ...['ProtectSystem', 'ProtectHome', 'ProtectClock', 'ProtectHostname', 'ProtectProc', 'ProtectControlGroups'],
    ...['ProtectKernelLogs', 'ProtectKernelModules', 'ProtectKernelTunables', 'PrivateTmp', 'PrivateDevices'],
    ...['RestrictAddressFamilies', 'RestrictNamespaces', 'RestrictRealtime', 'RestrictSUIDSGID'],
    ...['SystemCallArchitectures', 'SystemCallFilter', 'SystemCallErrorNumber', 'MemoryMax', 'TasksMax'],
  ],
};
