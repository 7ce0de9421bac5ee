/** Answers about the gateway's computer: what left it, and its snapshots. */
export const machineSamples = {
  'GET /api/v1/outgoing': {
    items: [
      {
        id: '1',
        began_at: 1,
        ended_at: 2,
        host: '3',
        port: 4,
        address: '5',
        purpose: 'provider',
        name: '6',
        bytes_sent: 7,
        bytes_received: 8,
        times: 1,
        outcome: 'ended',
        fault: null,
      },
    ],
    total: 1,
  },
  'GET /api/v1/outgoing/hosts': [],
  'GET /api/v1/outgoing/status': {
    sealed: false,
    network: false,
    last_day: 1,
    refused_last_day: 0,
    since: 1,
    days: 30,
    most: 20_000,
    unseen: ['plugin_programs', 'tool_programs', 'windows'],
  },
  'GET /api/v1/snapshots/': {
    on: true,
    interval_minutes: 60,
    budget: null,
    stored: null,
    restore: null,
    last_restore: null,
    snapshots: [
      { id: '1', label: 'hourly', created_at: 1, bytes: null, added_bytes: null, fault: null },
    ],
  },
}
