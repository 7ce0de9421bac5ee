import { z } from './lazy-zod.ts'
import { defineEndpoints } from './endpoint.ts'

export const localProgramIdSchema = z.enum(['ollama', 'lm-studio', 'jan', 'llama-cpp'])
export type LocalProgramId = z.output<typeof localProgramIdSchema>

/** Program installed on the gateway's computer that serves models. */
export const localProgramSchema = z
  .object({
    id: localProgramIdSchema,
    name: z.string(),
    /** URL at which it listens when it runs. */
    url: z.string(),
    state: z.enum(['stopped', 'starting', 'running']),
    /** True if the gateway started it; only then does the gateway stop it. */
    is_ours: z.boolean(),
    can_start: z.boolean(),
    /** Instructions for the user to start it. */
    advice: z.string(),
    /** Reason why it exited, if it did so after the gateway had started it. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'LocalProgram' })
export type LocalProgram = z.output<typeof localProgramSchema>

const params = z.object({ program_id: localProgramIdSchema })

export const programEndpoints = defineEndpoints(
  { domain: 'programs', tag: 'Connections', root: '/api/v1/connections/programs' },
  {
    list: {
      method: 'GET',
      path: '',
      auth: 'admin',
      response: z.array(localProgramSchema),
      summary:
        "Programs that serve models and are installed on the gateway's own computer, running or not.",
    },
    start: {
      method: 'POST',
      path: '/:program_id/start',
      auth: 'admin',
      params,
      response: localProgramSchema,
      errors: [404, 409, 502, 504],
      summary:
        'Starts one of them and answers when it accepts requests. It ends with the gateway, or by `stop`.',
    },
    stop: {
      method: 'POST',
      path: '/:program_id/stop',
      auth: 'admin',
      params,
      response: localProgramSchema,
      errors: [404, 409],
      summary: 'Stops one that the gateway has started; 409 for all others.',
    },
  },
)
