import type { Message } from './frames.ts'

/** State of a worker. Times are `performance.now()` values. */
export interface WorkerState {
  status: 'starting' | 'ready' | 'blocked' | 'stopping'
  memory: number | null
  threads: number | null
  tasks: number
  heardAt: number
  lastUsed: number
}

export interface WorkerEvents {
  /** Called when the process has ended; `running` names the plugins whose calls ended with it. */
  onGone(reason: string, running: readonly string[]): void
  /**
   * Called when code of this plugin does not stop on request; the process ends after the calls of
   * others.
   */
  onStuck(plugin: string): void
  /** Called when a plugin changed the state shared by all workers. */
  onState(message: Message): void
}
