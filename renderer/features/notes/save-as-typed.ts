/** How far the text on the screen is stored. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed'

export interface Saver<Value> {
  /** Keeps a newer value; it is saved once nothing was typed for a moment. */
  readonly keep: (value: Value) => void
  /** Saves at once what is not saved yet. */
  readonly flush: () => void
}

interface SaverOptions<Value> {
  readonly save: (value: Value) => Promise<unknown>
  readonly onState: (state: SaveState) => void
  readonly wait?: number
}

/** Saves one value after the other, always the newest; a failed one is kept for the next try. */
export function createSaver<Value>({
  save,
  onState,
  wait = 700,
}: SaverOptions<Value>): Saver<Value> {
  let waiting: { readonly value: Value } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false

  async function run(): Promise<void> {
    clearTimeout(timer)
    if (isRunning || !waiting) return
    const taken = waiting
    waiting = null
    isRunning = true
    onState('saving')
    let state: SaveState = 'saved'
    try {
      await save(taken.value)
    } catch {
      // The value waits for the next try, unless a newer one came in meanwhile.
      waiting ??= taken
      state = 'failed'
    }
    isRunning = false
    if (state === 'saved' && waiting) return run()
    onState(state)
  }

  return {
    keep(value) {
      waiting = { value }
      onState(isRunning ? 'saving' : 'waiting')
      clearTimeout(timer)
      timer = setTimeout(() => void run(), wait)
    },
    flush: () => void run(),
  }
}
