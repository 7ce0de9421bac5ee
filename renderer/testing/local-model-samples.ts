import type { EngineState } from '#contract/engine.ts'

/**
 * Local models with names without Latin letters, so that every letter on the page comes from the
 * locale files.
 */
export const localModels: EngineState = {
  enabled: true,
  cuda: null,
  folder: '7',
  memory: { total: 9_000, free: 8_000 },
  disk_free: 9_000,
  models: [
    {
      name: '71',
      title: null,
      bytes: 5_000,
      memory: 9_000,
      fits: true,
      task: 'chat',
      parameters: null,
      quantization: null,
      license: null,
      context_length: 2048,
      owner: null,
      problem: null,
    },
  ],
  downloads: [
    {
      id: '72',
      name: '73',
      address: '74',
      status: 'paused',
      completed: 1_000,
      total: 2_000,
      bytes_per_second: 0,
      error: null,
    },
  ],
  offered: [
    {
      source: '75',
      title: '76',
      task: 'embedding',
      bytes: 9_000,
      memory: 9_000,
      fits: false,
      license: '77',
    },
  ],
  folders: [{ path: '78', owner: '79', model_count: 2, is_used: false }],
}
