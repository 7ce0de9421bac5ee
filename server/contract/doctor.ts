import { z } from './lazy-zod.ts'
import { idSchema } from './common.ts'
import { connectionInputSchema, connectionKindSchema } from './connections.ts'
import { defineEndpoints } from './endpoint.ts'
import { localProgramIdSchema } from './programs.ts'

/** Steps in the examination of a connection, in the order in which a call passes them. */
export const DOCTOR_STEPS = Object.freeze([
  'address',
  'runtime',
  'host',
  'port',
  'proxy',
  'certificate',
  'answer',
  'origin',
  'key',
  'models',
] as const)
export const doctorStepSchema = z.enum(DOCTOR_STEPS)
export type DoctorStep = z.output<typeof doctorStepSchema>

/** Change that fixes the finding of a step; windows offer it as a button. */
export const doctorMendSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('address'), url: z.string() }),
  z.object({ kind: z.literal('type'), type: connectionKindSchema, url: z.string() }),
  z.object({ kind: z.literal('key') }),
  z.object({ kind: z.literal('models'), model_ids: z.array(z.string()) }),
  z.object({ kind: z.literal('switch-on') }),
  z.object({ kind: z.literal('timeout'), seconds: z.int() }),
  z.object({ kind: z.literal('online') }),
  /** Starts a program installed on the gateway's computer. */
  z.object({ kind: z.literal('start'), program: localProgramIdSchema, name: z.string() }),
  /** Connects without the proxy. */
  z.object({ kind: z.literal('straight') }),
  /** Trusts the shown certificate, and no other one without an authority. */
  z.object({
    kind: z.literal('trust'),
    /** SHA-256 fingerprint. */
    fingerprint: z.string(),
    subject: z.string(),
    issuer: z.string(),
    /** Expiry in unix milliseconds. */
    valid_to: z.int(),
  }),
])
export type DoctorMend = z.output<typeof doctorMendSchema>

/** `look`: works, but may need attention. `skipped`: does not apply to this connection. */
export const doctorFindingSchema = z
  .object({
    step: doctorStepSchema,
    verdict: z.enum(['good', 'look', 'bad', 'skipped']),
    /** Machine-readable code of the finding. */
    code: z.string(),
    text: z.string(),
    advice: z.string().nullable(),
    mends: z.array(doctorMendSchema),
  })
  .meta({ id: 'DoctorFinding' })
export type DoctorFinding = z.output<typeof doctorFindingSchema>

/** Connection as typed, whose URL need not be valid. */
export const doctorInputSchema = connectionInputSchema.extend({
  url: z.string().trim().min(1).max(2048),
  id: idSchema.optional(),
  step: doctorStepSchema,
})
export type DoctorInput = z.output<typeof doctorInputSchema>

export const doctorEndpoints = defineEndpoints(
  { domain: 'doctor', tag: 'Connections', root: '/api/v1/connections' },
  {
    examine: {
      method: 'POST',
      path: '/examine',
      auth: 'admin',
      body: doctorInputSchema,
      response: doctorFindingSchema,
      errors: [400],
      summary:
        'Tests one step of a call to a connection, and reports the problem and a remedy. Changes nothing.',
    },
  },
)
