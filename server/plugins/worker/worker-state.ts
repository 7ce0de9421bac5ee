import type { Message } from './frames.ts'

/** How a worker is doing. Times as `performance.now()` tells them. */
export interface WorkerState {
  status: 'starting' | 'ready' | 'blocked' | 'stopping'
  memory: number | null
  threads: number | null
  tasks: number
  heardAt: number
  lastUsed: number
}

export interface WorkerEvents {
  /** The process is gone; `running` names the plugins whose calls went with it. */
  onGone(reason: string, running: readonly string[]): void
  /**
   * Code of this plugin does not stop when it is told to; the process ends once the calls of others
   * are over.
   */
  onStuck(plugin: string): void
  /** A plugin wrote what all workers share. */
  onState(message: Message): void
}
