import type { RunCause } from '#contract/automations.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { toServiceError } from '../lib/serving/to-error.ts'
import type { AutomationsDependencies } from './parts.ts'
import { RunSlots } from './run-slots.ts'
import type { AutomationRow, AutomationStore, RunRow, RunStore } from './store.ts'
import { readData } from './to-automation.ts'

const SECOND = 1000
const CUT_OFF = 'The gateway stopped while this ran.'

/** Reason for ending a run before its answer is complete. */
type Ending = 'cancelled' | 'timeout' | 'shutdown'

/** Parameters of a run besides its automation. */
export interface RunOrder {
  readonly cause: RunCause
  /** The time at which it was due. */
  readonly plannedAt?: number
  /** Text received by a call of its URL. */
  readonly text?: string
}

type RunnerParts = AutomationsDependencies & {
  readonly automations: AutomationStore
  readonly runs: RunStore
}

/** Topic of the messages between gateways about cancelled runs. */
const CANCEL = 'automation-cancel'

const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}\n${text}\n${ticks}`
}

/**
 * Runs the prompts of automations, each automation once at a time, with the permissions its owner
 * has at that time.
 */
export class AutomationRuns {
  readonly #parts: RunnerParts
  readonly #slots = new RunSlots()
  readonly #open = new Map<string, { end: (how: Ending) => void; over: Promise<void> }>()
  #isClosed = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /**
   * Ends runs of gateways that are gone, now and whenever another one goes, and notifies their
   * owners.
   */
  async endUnfinished(): Promise<void> {
    await this.#parts.live?.line.hear(CANCEL, (id) => void this.#cancelHere(String(id)))
    const replicas = this.#parts.live?.replicas
    replicas?.onTakeOver((gone) => this.#endUnfinishedOf((replica) => replica === gone))
    const present = replicas?.present
    await this.#endUnfinishedOf((replica) => !present || replica === null || !present.has(replica))
  }

  async #endUnfinishedOf(isGone: (replica: string | null) => boolean): Promise<void> {
    const { automations, runs } = this.#parts
    const ended = await runs.endUnfinished(CUT_OFF, Date.now(), isGone)
    for (const { automation_id, chat_id } of ended) {
      const automation = await automations.get(automation_id)
      if (automation) this.#tell(automation, { status: 'error', error: CUT_OFF, chat_id })
    }
  }

  /**
   * Starts a run; resolves with null while the previous one is still running. Throws 404 if the
   * automation was deleted meanwhile.
   */
  async begin(automation: AutomationRow, order: RunOrder): Promise<RunRow | null> {
    const run = this.#toRow(automation, order, { status: 'running', error: null })
    const { automations, storage } = this.#parts
    if (this.#isClosed || !(await this.#insert(run))) return null
    await automations.update(automation.id, { last_run_at: run.created_at })
    storage.afterCommit(() => this.#execute(automation, run, order))
    return run
  }

  /** Records a time at which nothing ran, and notifies the owner of the reason. */
  async note(
    automation: AutomationRow,
    order: RunOrder,
    outcome: Pick<RunRow, 'status' | 'error'>,
  ): Promise<void> {
    const run = this.#toRow(automation, order, outcome)
    await this.#parts.runs.insert({ ...run, ended_at: run.created_at })
    this.#parts.storage.afterCommit(() => this.#tell(automation, { ...outcome, chat_id: null }))
  }

  /** Ends the run of an automation that was deleted, on whichever gateway it is. */
  forget(automationId: string): void {
    if (!this.#cancelHere(automationId)) this.#parts.live?.line.tell(CANCEL, automationId)
  }

  /** Cancels the current run, on whichever gateway it is; resolves with false if there is none. */
  async cancel(automationId: string): Promise<boolean> {
    const { live, runs } = this.#parts
    if (this.#cancelHere(automationId)) return true
    if (!live || !(await runs.isRunning(automationId))) return false
    live.line.tell(CANCEL, automationId)
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { end } of this.#open.values()) end('shutdown')
    await Promise.all([...this.#open.values()].map(({ over }) => over))
  }

  /** The database refuses the run of an automation that no longer exists. */
  async #insert(run: RunRow): Promise<boolean> {
    const { automations, runs } = this.#parts
    try {
      return await runs.insert(run)
    } catch (error) {
      if (await automations.get(run.automation_id)) throw error
      throw notFound('There is no such automation.')
    }
  }

  #cancelHere(automationId: string): boolean {
    const open = this.#open.get(automationId)
    open?.end('cancelled')
    return open !== undefined
  }

  #toRow(
    { id }: AutomationRow,
    { cause, plannedAt }: RunOrder,
    outcome: Pick<RunRow, 'status' | 'error'>,
  ): RunRow {
    return {
      id: newId(),
      automation_id: id,
      chat_id: null,
      cause,
      planned_at: plannedAt ?? null,
      replica: this.#parts.live?.self ?? null,
      created_at: Date.now(),
      ended_at: null,
      ...outcome,
    }
  }

  #execute(automation: AutomationRow, run: RunRow, order: RunOrder): void {
    const controller = new AbortController()
    const end = (how: Ending): void => controller.abort(how)
    const seconds = this.#parts.settings.get('AUTOMATION_TIMEOUT')
    const timer = setTimeout(() => end('timeout'), seconds * SECOND).unref()
    const over = this.#run(automation, { run, order, signal: controller.signal })
      .catch((error: unknown) =>
        this.#parts.log.error({ error, automation: automation.id }, 'a run could not be recorded'),
      )
      .finally(() => {
        clearTimeout(timer)
        this.#open.delete(automation.id)
      })
    this.#open.set(automation.id, { end, over })
  }

  async #run(
    automation: AutomationRow,
    { run, order, signal }: { run: RunRow; order: RunOrder; signal: AbortSignal },
  ): Promise<void> {
    const outcome = await this.#ask(automation, { run, order, signal })
    await this.#parts.runs.update(run.id, { ...outcome, ended_at: Date.now() })
    // After the account is deleted there is no row to update and no owner to notify.
    if (await this.#parts.automations.get(automation.id)) {
      const chat_id = (await this.#parts.runs.get(run.id))?.chat_id ?? null
      this.#tell(automation, { ...outcome, chat_id })
    }
  }

  async #ask(
    automation: AutomationRow,
    { run, order, signal }: { run: RunRow; order: RunOrder; signal: AbortSignal },
  ): Promise<Pick<RunRow, 'status' | 'error'>> {
    let release: (() => void) | null = null
    try {
      release = await this.#slots.take(automation.user_id, signal)
      const caller = await this.#requireOwner(automation)
      const data = readData(automation)
      const prompt =
        order.text === undefined ? data.prompt : `${data.prompt}\n\n${fence(order.text)}`
      const { error } = await this.#parts.completions.runInChat({
        caller,
        title: automation.name,
        prompt,
        model: data.model_id,
        folderId: data.folder_id || null,
        toolIds: data.tool_ids ?? [],
        isWebSearched: data.web_search === true,
        signal,
        onChat: (chatId) => void this.#noteChat(run, chatId),
      })
      if (signal.aborted) return this.#explainEnding(signal.reason as Ending)
      return error === null ? { status: 'success', error: null } : { status: 'error', error }
    } catch (thrown) {
      if (signal.aborted) return this.#explainEnding(signal.reason as Ending)
      const { message, status } = toServiceError(thrown)
      if (status === 500)
        this.#parts.log.error({ error: thrown, automation: automation.id }, 'a run failed')
      return { status: 'error', error: message }
    } finally {
      release?.()
    }
  }

  /** The answer continues even if the chat cannot be recorded in its run. */
  async #noteChat({ id }: RunRow, chatId: string): Promise<void> {
    await this.#parts.runs
      .update(id, { chat_id: chatId })
      .catch((error: unknown) =>
        this.#parts.log.error({ error, run: id }, 'the chat of a run could not be stored'),
      )
  }

  #explainEnding(ending: Ending): Pick<RunRow, 'status' | 'error'> {
    if (ending === 'cancelled') return { status: 'cancelled', error: null }
    if (ending === 'shutdown') return { status: 'error', error: CUT_OFF }
    const seconds = this.#parts.settings.get('AUTOMATION_TIMEOUT')
    return { status: 'error', error: `It had no answer after ${seconds} seconds and was ended.` }
  }

  /**
   * Returns the owner with their current permissions. If the owner may no longer use automations,
   * they stay paused.
   */
  async #requireOwner(automation: AutomationRow): Promise<Caller> {
    const { automations, groups, settings, users } = this.#parts
    if (!(await automations.get(automation.id))) throw notFound('The automation was deleted.')
    const user = await users.get(automation.user_id)
    if (!user) throw forbidden('The account it belongs to is gone.')
    const caller: Caller = {
      userId: user.id,
      role: user.role,
      name: user.name,
      email: user.email,
      credential: 'bearer',
      keyId: null,
    }
    const isPermitted =
      user.role !== 'pending' &&
      !users.cached.isGuest(user.id) &&
      (await groups.allows(caller, 'features.automations'))
    if (!isPermitted) {
      await automations.update(automation.id, { is_active: 0, next_run_at: null })
      throw forbidden('You may not have automations any more, so this one was paused.')
    }
    if (!settings.get('ENABLE_AUTOMATIONS')) throw forbidden('Automations are switched off.')
    return caller
  }

  #tell(
    { user_id, name }: AutomationRow,
    { status, error, chat_id }: Pick<RunRow, 'status' | 'error' | 'chat_id'>,
  ): void {
    const word = status === 'success' ? 'done' : status
    const content = `${name}: ${error ?? word}`
    this.#parts.events.emit(user_id, {
      chat_id: null,
      message_id: null,
      data: {
        type: 'notification',
        data: {
          type: status === 'success' ? 'success' : 'warning',
          content,
          run: { name, status, error, chat_id },
        },
      },
    })
  }
}
