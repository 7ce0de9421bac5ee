import type { PurposeKind } from '#contract/outgoing-connections.ts'
import type { ConnectionNotes, Traffic } from '../lib/outgoing/way-out.ts'
import type { ProgramConnectionsOptions } from './program-connections.ts'

/** Traffic of the app's windows with one host so far; `id` stays the same until the end. */
export interface WindowTraffic extends Traffic {
  readonly id: number
  readonly host: string
  readonly port: number
  readonly purpose: PurposeKind
  readonly isOver: boolean
}

/** Lists the requests of windows to other computers, as reported by the desktop app. */
export class WindowConnections {
  readonly #options: ProgramConnectionsOptions
  readonly #open = new Map<number, { readonly notes: ConnectionNotes; traffic: Traffic }>()

  constructor(options: ProgramConnectionsOptions) {
    this.#options = options
  }

  take({ id, host, port, purpose, isOver, ...traffic }: WindowTraffic): void {
    if (!this.#options.isElsewhere(host)) return
    const found = this.#open.get(id) ?? this.#begin({ id, host, port, purpose })
    found.traffic = traffic
    if (!isOver) return
    this.#open.delete(id)
    found.notes.ended(traffic, null)
  }

  close(): void {
    for (const { notes, traffic } of this.#open.values()) notes.ended(traffic, null)
    this.#open.clear()
  }

  #begin({ id, host, port, purpose }: Omit<WindowTraffic, 'isOver' | keyof Traffic>) {
    const notes = this.#options.begun({ host, port }, { kind: purpose })
    const opened = { notes, traffic: { sent: 0, received: 0 } }
    this.#open.set(id, opened)
    // Sealed mode refuses the requests themselves.
    notes.opened({ read: () => opened.traffic, end: () => undefined })
    return opened
  }
}
