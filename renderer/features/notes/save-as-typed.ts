/** Save state of the displayed text. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed'

export interface Saver<Value> {
  /** Keeps a newer value, which is saved after a pause in typing. */
  readonly keep: (value: Value) => void
  /** Saves unsaved changes immediately. */
  readonly flush: () => void
  /** Drops unsaved changes. */
  readonly forget: () => void
}

interface SaverOptions<Value> {
  readonly save: (value: Value) => Promise<unknown>
  readonly onState: (state: SaveState) => void
  readonly wait?: number
}

/** Saves values sequentially, always the newest; a failed one is kept for the next try. */
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
      // The value is kept for the next try, unless a newer one arrived meanwhile.
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
    forget() {
      waiting = null
      clearTimeout(timer)
    },
  }
}
