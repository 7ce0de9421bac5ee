import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../settings/index.ts'
import { OVERHEAD_BYTES, Runner, type Cell, type CellOutcome } from './runner.ts'
import type { WorkerProcess } from '../../plugins/index.ts'

/** Owner of the variables a cell sees. Without a chat it has a dedicated process. */
export interface CellPlace {
  readonly userId: string
  readonly chatId: string | null
}

export type Phase = 'queued' | 'loading' | 'running'

interface Slot extends CellPlace {
  readonly runner: Runner
  /** Settles when the previous cells have ended. */
  turn: Promise<unknown>
  waiting: number
}

export interface RunnersOptions {
  readonly settings: Settings<'CODE_PROCESS_LIMIT' | 'CODE_MEMORY_LIMIT' | 'CODE_IDLE_TIMEOUT'>
  /** Resolves with null if no process may be started. */
  readonly start: (memory: number) => Promise<WorkerProcess | null>
  /** Returns the available memory of the machine in bytes. */
  readonly availableMemory?: () => number
}

/** A process is preloaded while this multiple of its maximum memory is free. */
const SPARE_ROOM = 2

const MEBIBYTE = 1024 * 1024
const PAUSE_MILLISECONDS = 100
const LONGEST_WAIT_MILLISECONDS = 20_000
const UPKEEP_MILLISECONDS = 5000

export const BUSY =
  'All processes of code are busy. Try again in a moment, or ask an administrator to raise CODE_PROCESS_LIMIT.'
export const NO_PROCESS = 'No process of code may be started here.'

/** Processes of code: one for each chat that used code recently, at most CODE_PROCESS_LIMIT. */
export class Runners {
  readonly #settings: RunnersOptions['settings']
  readonly #start: RunnersOptions['start']
  readonly #slots = new Set<Slot>()
  /** Chats whose process is being started, so that two concurrent cells do not get one each. */
  readonly #opening = new Map<string, Promise<Slot | string>>()
  /** Ids of the users of processes being started. */
  readonly #starting: string[] = []
  /** Preloaded process with its memory limit; the next chat takes it over. */
  #spare: { readonly runner: Runner; readonly memory: number } | null = null
  #warming: Promise<void> | null = null
  readonly #availableMemory: () => number
  #upkeep: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ settings, start, availableMemory }: RunnersOptions) {
    this.#settings = settings
    this.#start = start
    this.#availableMemory = availableMemory ?? (() => process.availableMemory())
  }

  /**
   * Preloads a process, so that the first cell of the next chat need not wait for it: one, within
   * CODE_PROCESS_LIMIT, and only while the machine has memory for it twice. It ends after
   * CODE_IDLE_TIMEOUT if it is not used.
   */
  warm(): Promise<void> {
    if (this.#warming) return this.#warming
    const memory = this.#memory()
    if (
      this.#isClosed ||
      this.#spare !== null ||
      this.#slots.size + this.#starting.length >= this.#settings.get('CODE_PROCESS_LIMIT') ||
      this.#availableMemory() < SPARE_ROOM * (memory + OVERHEAD_BYTES)
    )
      return Promise.resolve()
    this.#warming = this.#loadSpare(memory).finally(() => (this.#warming = null))
    return this.#warming
  }

  /**
   * Runs a cell in the process of its chat, which is started for the first one. Cells of one chat
   * run one after the other.
   */
  async run(
    place: CellPlace,
    cell: Cell,
    options: { signal: AbortSignal; onPhase: (phase: Phase) => void },
  ): Promise<CellOutcome> {
    const { signal, onPhase } = options
    let slot: Slot | string
    try {
      slot = this.#find(place) ?? (await this.#openOnce(place, options))
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' }
      throw error
    }
    if (typeof slot === 'string') return { kind: 'failed', reason: slot }
    const { runner } = slot
    const before = slot.turn
    if (slot.waiting > 0) onPhase('queued')
    slot.waiting += 1
    const run = before.then(() => {
      if (signal.aborted) return { kind: 'stopped' } as const
      if (runner.state === 'loading') onPhase('loading')
      void runner.ready.then(
        () => onPhase('running'),
        () => undefined,
      )
      return runner.run(cell, signal)
    })
    slot.turn = run.catch(() => undefined)
    try {
      return await run
    } finally {
      slot.waiting -= 1
      if (place.chatId === null) await this.#retire(slot)
    }
  }

  /** Returns the state of the process of a chat. */
  stateOf(place: CellPlace): {
    state: 'none' | 'loading' | 'idle' | 'running'
    run_id: string | null
  } {
    const slot = this.#find(place)
    if (!slot || slot.runner.state === 'gone') return { state: 'none', run_id: null }
    return { state: slot.runner.state, run_id: slot.runner.runId }
  }

  /** Ends the process of a chat; resolves with false if there is none. */
  async forget(place: CellPlace): Promise<boolean> {
    const slot = this.#find(place)
    if (slot) await this.#retire(slot)
    return slot !== null
  }

  /** Ends the processes of a user who may not run code any more. */
  expel(userId: string): void {
    for (const slot of this.#slots) if (slot.userId === userId) void this.#retire(slot)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#upkeep) clearInterval(this.#upkeep)
    await this.#warming
    await this.#spare?.runner.close()
    await Promise.all([...this.#slots].map((slot) => this.#retire(slot)))
  }

  #find({ userId, chatId }: CellPlace): Slot | null {
    if (chatId === null) return null
    for (const slot of this.#slots)
      if (slot.userId === userId && slot.chatId === chatId && slot.runner.state !== 'gone')
        return slot
    return null
  }

  #openOnce(
    place: CellPlace,
    options: { signal: AbortSignal; onPhase: (phase: Phase) => void },
  ): Promise<Slot | string> {
    if (place.chatId === null) return this.#open(place, options)
    const key = JSON.stringify([place.userId, place.chatId])
    const known = this.#opening.get(key)
    // The failure of the other cell does not affect this one.
    if (known) return known.catch(() => this.#openOnce(place, options))
    const opening = this.#open(place, options).finally(() => this.#opening.delete(key))
    this.#opening.set(key, opening)
    return opening
  }

  /** Frees a slot and starts a process; resolves with an error message if it cannot. */
  async #open(
    place: CellPlace,
    { signal, onPhase }: { signal: AbortSignal; onPhase: (phase: Phase) => void },
  ): Promise<Slot | string> {
    const deadline = performance.now() + LONGEST_WAIT_MILLISECONDS
    for (let isTold = false; ; isTold = true) {
      if (this.#isClosed) return NO_PROCESS
      const known = this.#find(place)
      if (known) return known
      const obstacle = this.#findObstacle(place.userId)
      if (obstacle === null) break
      const idle = obstacle.filter(
        ({ runner, waiting }) => runner.state === 'idle' && waiting === 0,
      )
      const oldest = idle.toSorted((one, other) => one.runner.lastUsed - other.runner.lastUsed)[0]
      if (oldest) await this.#retire(oldest)
      else if (performance.now() > deadline) return BUSY
      else {
        if (!isTold) onPhase('queued')
        await sleep(PAUSE_MILLISECONDS, undefined, { signal })
      }
    }
    this.#starting.push(place.userId)
    try {
      const memory = this.#memory()
      const runner = (await this.#takeSpare(memory)) ?? (await this.#startRunner(memory))
      if (runner === null) return NO_PROCESS
      const slot: Slot = { ...place, runner, turn: Promise.resolve(), waiting: 0 }
      this.#slots.add(slot)
      void runner.gone.then(() => this.#slots.delete(slot))
      return slot
    } finally {
      this.#starting.splice(this.#starting.indexOf(place.userId), 1)
    }
  }

  #memory(): number {
    return this.#settings.get('CODE_MEMORY_LIMIT') * MEBIBYTE
  }

  async #startRunner(memory: number): Promise<Runner | null> {
    const started = await this.#start(memory)
    if (started === null) return null
    this.#upkeep ??= setInterval(() => this.#endIdle(), UPKEEP_MILLISECONDS).unref()
    return new Runner(started, memory)
  }

  async #loadSpare(memory: number): Promise<void> {
    const runner = await this.#startRunner(memory)
    if (runner === null) return
    this.#spare = { runner, memory }
    void runner.gone.then(() => {
      if (this.#spare?.runner === runner) this.#spare = null
    })
  }

  /** Takes the preloaded process; one with another memory limit is ended. */
  async #takeSpare(memory: number): Promise<Runner | null> {
    await this.#warming
    const spare = this.#spare
    this.#spare = null
    if (spare === null || spare.runner.state === 'gone') return null
    if (spare.memory === memory) return spare.runner
    await spare.runner.close()
    return null
  }

  /**
   * Returns the slots of which one must end before another process may be started; null if none
   * must.
   */
  #findObstacle(userId: string): Slot[] | null {
    const most = this.#settings.get('CODE_PROCESS_LIMIT')
    const all = [...this.#slots]
    const own = all.filter((slot) => slot.userId === userId)
    const beginning = this.#starting.filter((each) => each === userId).length
    if (own.length + beginning >= Math.max(1, Math.floor(most / 2))) return own
    return all.length + this.#starting.length >= most ? all : null
  }

  #endIdle(): void {
    const longest = this.#settings.get('CODE_IDLE_TIMEOUT') * 1000
    const isIdle = ({ state, lastUsed }: Runner): boolean =>
      state === 'idle' && performance.now() - lastUsed > longest
    for (const slot of this.#slots)
      if (slot.waiting === 0 && isIdle(slot.runner)) void this.#retire(slot)
    if (this.#spare && isIdle(this.#spare.runner)) void this.#spare.runner.close()
  }

  async #retire(slot: Slot): Promise<void> {
    this.#slots.delete(slot)
    await slot.runner.close()
  }
}
