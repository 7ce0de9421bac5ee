import { z } from './lazy-zod.ts'
import { idSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const textSchema = z.string().min(1).max(4000)
const modelSchema = z.string().min(1).max(512)

/** Expectation about an answer. Case-insensitive. */
export const expectationSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('contains'), text: textSchema }),
    z.object({ kind: z.literal('lacks'), text: textSchema }),
    /**
     * JSON like the example: the same fields with values of the same kind, and lists whose entries
     * match its first one.
     */
    z.object({ kind: z.literal('json'), example: z.unknown() }),
    /** A model decides whether this is true of the answer. */
    z.object({ kind: z.literal('judged'), question: textSchema }),
  ])
  .meta({ id: 'PromptExpectation' })
export type Expectation = z.output<typeof expectationSchema>

/** One set of values for the variables of a prompt, with the expectations about its answer. */
export const checkCaseSchema = z
  .object({
    name: z.string().trim().min(1).max(200),
    values: z.record(z.string().max(200), z.string().max(20_000)).default({}),
    expectations: z.array(expectationSchema).min(1).max(20),
  })
  .meta({ id: 'PromptCheckCase' })
export type CheckCase = z.output<typeof checkCaseSchema>

export const promptChecksSchema = z
  .object({ cases: z.array(checkCaseSchema).max(20) })
  .meta({ id: 'PromptChecks' })
export type PromptChecks = z.output<typeof promptChecksSchema>

const checkRunSchema = z
  .object({
    models: z.array(modelSchema).min(1).max(10),
    /** Ids of versions of the prompt; defaults to the one in use. */
    versions: z.array(idSchema).min(1).max(5).optional(),
    /** Model that judges the answers; defaults to the model that answered. */
    judge: modelSchema.optional(),
  })
  .meta({ id: 'PromptCheckRun' })
export type CheckRun = z.output<typeof checkRunSchema>

/** Result of one expectation; `detail` states why it was not met. */
export interface CheckOutcome {
  readonly expectation: Expectation
  readonly isMet: boolean
  readonly detail: string
}

/** Result of one answer. `cost` is null if the price of its model is not known. */
export interface CheckResult {
  readonly type: 'result'
  readonly case: string
  readonly model: string
  readonly version: string
  readonly answer: string
  /** Reason why there is no answer. */
  readonly fault: string | null
  readonly isPassed: boolean
  readonly outcomes: readonly CheckOutcome[]
  readonly seconds: number
  readonly usage: { readonly input: number | null; readonly output: number | null }
  readonly cost: { readonly amount: number; readonly currency: string } | null
}

/** Events of a run: the amount of work, each result as it arrives, the end. */
export type CheckEvent =
  | { readonly type: 'begun'; readonly total: number }
  | CheckResult
  | { readonly type: 'done'; readonly passed: number; readonly failed: number }

const params = z.object({ prompt_id: idSchema })

export const promptCheckEndpoints = defineEndpoints(
  { domain: 'promptChecks', tag: 'Prompts', root: '/api/v1/prompts/id/:prompt_id/checks' },
  {
    get: {
      method: 'GET',
      path: '',
      params,
      response: promptChecksSchema,
      errors: [404],
      summary: 'The checks for answers to a prompt.',
    },
    save: {
      method: 'POST',
      path: '',
      params,
      body: promptChecksSchema,
      response: promptChecksSchema,
      errors: [400, 403, 404],
      summary: 'Replaces the checks for answers to a prompt.',
    },
    run: {
      method: 'POST',
      path: '/run',
      params,
      body: checkRunSchema,
      reply: 'stream',
      replyTypes: ['text/event-stream'],
      response: z.unknown(),
      errors: [400, 404, 409],
      summary:
        'Asks the models with each case and version, and sends each result when it is ready; ends when the client disconnects.',
    },
  },
)
