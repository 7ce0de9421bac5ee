/** Responses about the gateway's computer: outgoing connections, and its snapshots. */
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
    offline: false,
    network: false,
    last_day: 1,
    refused_last_day: 0,
    since: 1,
    days: 30,
    most: 20_000,
    unseen: ['plugin_programs', 'tool_programs', 'windows'],
    proxy: { origin: 'settings', address: '9' },
  },
  'GET /api/v1/analytics/summary': {
    total_messages: 1,
    total_chats: 2,
    total_models: 3,
    total_users: 4,
  },
  'GET /api/v1/analytics/daily': {
    data: [
      {
        date: '2026-11-27',
        models: { '7': 1 },
        input_tokens: 1,
        output_tokens: 2,
        total_tokens: 3,
        costs: [],
      },
    ],
  },
  'GET /api/v1/analytics/tokens': {
    models: [
      {
        model_id: '7',
        message_count: 1,
        input_tokens: 1,
        output_tokens: 2,
        total_tokens: 3,
        costs: [],
      },
    ],
    total_input_tokens: 1,
    total_output_tokens: 2,
    total_tokens: 3,
    costs: [],
  },
  'GET /api/v1/analytics/users': {
    users: [
      {
        user_id: '1',
        name: '2',
        email: '3@4',
        count: 1,
        input_tokens: 1,
        output_tokens: 2,
        total_tokens: 3,
        costs: [],
      },
    ],
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
