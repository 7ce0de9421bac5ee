import type { ServerResponse } from 'node:http'
import type { ChatCompletion } from '#contract/completions.ts'
import {
  promptChecksSchema,
  type CheckEvent,
  type CheckRun,
  type PromptChecks,
} from '#contract/prompt-checks.ts'
import type { Prompt } from '#contract/prompts.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import type { AskModel } from '../completions/index.ts'
import { badRequest, conflict } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { mapInOrder } from '../lib/in-order.ts'
import type { Prompts } from '../prompts/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Storage } from '../storage/index.ts'
import { fillPrompt } from './fill-prompt.ts'
import { runChecks, type Errand } from './run-checks.ts'

interface CheckerDependencies {
  readonly storage: Storage
  readonly prompts: Prompts
  readonly settings: Settings<'MODEL_PRICES'>
  readonly complete: AskModel['complete']
}

/** Maximum number of answers in one run; each costs money. */
const MOST_ANSWERS = 200
/** Comment lines keep proxies from closing an idle stream. */
const KEEP_ALIVE_MILLISECONDS = 15_000

/**
 * Checks of prompts, which are stored in the `data` of the prompt and so share its versions and
 * permissions. They run on behalf of the caller: with the models the caller may use, and only while
 * the caller stays connected.
 */
export class Checker {
  readonly #deps: CheckerDependencies
  /** Users with a running check. */
  readonly #running = new Set<string>()

  constructor(dependencies: CheckerDependencies) {
    this.#deps = dependencies
  }

  async get(caller: Caller, id: string): Promise<PromptChecks> {
    return readChecks(await this.#deps.prompts.get(caller, { id }))
  }

  save(caller: Caller, id: string, checks: PromptChecks): Promise<PromptChecks> {
    checkPlainJson(checks, 'The check')
    return this.#deps.storage.transaction(async () => {
      const { data } = await this.#deps.prompts.get(caller, { id })
      const changes = { data: { ...data, checks }, is_production: true }
      return readChecks(await this.#deps.prompts.update(caller, { id }, changes))
    })
  }

  /** Streams the results; anything that must be refused is refused before the first event. */
  async run(
    caller: Caller,
    { id, run }: { readonly id: string; readonly run: CheckRun },
    { response, signal }: { readonly response: ServerResponse; readonly signal: AbortSignal },
  ): Promise<void> {
    const errands = await this.#toErrands(caller, id, run)
    if (this.#running.has(caller.userId))
      throw conflict('Your prompts are being checked already. Wait until that is done, or stop it.')
    this.#running.add(caller.userId)
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
    const timer = setInterval(() => response.write(': \n\n'), KEEP_ALIVE_MILLISECONDS)
    try {
      await runChecks(errands, {
        complete: (model, text) => this.#ask(caller, signal, { model, text }),
        judge: run.judge ?? null,
        prices: this.#deps.settings.get('MODEL_PRICES'),
        signal,
        send: (event: CheckEvent) => void response.write(`data: ${JSON.stringify(event)}\n\n`),
      })
    } finally {
      clearInterval(timer)
      this.#running.delete(caller.userId)
      response.end()
    }
  }

  async #toErrands(caller: Caller, id: string, run: CheckRun): Promise<Errand[]> {
    const { prompts } = this.#deps
    const prompt = await prompts.get(caller, { id })
    const { cases } = readChecks(prompt)
    if (cases.length === 0)
      throw badRequest('This prompt has no checks. Add one first.', { code: 'no_checks' })
    const versions = await mapInOrder(
      new Set(run.versions ?? [prompt.version_id]),
      async (version) => ({
        version,
        content:
          version === prompt.version_id
            ? prompt.content
            : (await prompts.version(caller, id, version)).snapshot.content,
      }),
    )
    const models = [...new Set(run.models)]
    if (cases.length * versions.length * models.length > MOST_ANSWERS)
      throw badRequest(
        `A run may ask for ${MOST_ANSWERS} answers. Choose fewer models or versions.`,
      )
    return cases.flatMap((check) =>
      versions.flatMap(({ version, content }) => {
        const { text, missing } = fillPrompt(content, check.values)
        if (missing.length > 0)
          throw badRequest(`The check "${check.name}" has no value for ${missing.join(', ')}.`, {
            code: 'value_missing',
          })
        return models.map((model) => ({ check, model, version, text }))
      }),
    )
  }

  #ask(
    caller: Caller,
    signal: AbortSignal,
    { model, text }: { readonly model: string; readonly text: string },
  ): Promise<ChatCompletion> {
    const body = { model, messages: [{ role: 'user', content: text }], stream: false }
    const origin = {
      caller,
      sent: body,
      task: null,
      chatId: null,
      messageId: null,
      sessionId: null,
      signal,
      tell: () => undefined,
      allTold: () => Promise.resolve(),
      ask: () => Promise.reject(new Error('No window belongs to a check.')),
    }
    return this.#deps.complete({ origin, body, isBare: false })
  }
}

/** Returns the checks of a prompt; none if the field contains something else. */
const readChecks = ({ data }: Prompt): PromptChecks =>
  promptChecksSchema.safeParse(data['checks']).data ?? { cases: [] }
