import { nowSeconds } from '../../lib/ids.ts'
import type { ServerFunction } from './open-server.ts'
import { changedTools, hashOf, toHashes, type ToolHashes } from './tool-hashes.ts'

/** Result of the last contact with a server. */
export interface SeenState {
  readonly status: 'ok' | 'failed' | 'changed'
  readonly detail: string | null
  /** Error code of the failure; null if none is known. */
  readonly code: string | null
  readonly checkedAt: number
  readonly functions: readonly ServerFunction[]
  readonly hashes: ToolHashes
  readonly changed: readonly string[]
}

export interface LogLine {
  /** Unix milliseconds. */
  readonly at: number
  readonly line: string
}

const MOST_LINES = 200

/** Lists names, as many as a sentence can contain. */
const listNames = (names: readonly string[]): string => {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

export const fingerprintOf = ({ hashes }: SeenState): string => hashOf(hashes)

/** States of tool servers since the start of the gateway. */
export class ServerStates {
  readonly #states = new Map<string, SeenState>()
  readonly #logs = new Map<string, LogLine[]>()

  get(id: string): SeenState | null {
    return this.#states.get(id) ?? null
  }

  /** Records a list of tools and returns the unapproved ones. */
  noteTools(
    id: string,
    functions: readonly ServerFunction[],
    approved: ToolHashes | null,
  ): SeenState {
    const hashes = toHashes(functions)
    const changed = approved === null ? [] : changedTools(approved, hashes)
    const detail =
      changed.length === 0
        ? null
        : `These tools are new or have changed since they were approved: ${listNames(changed)}.`
    const state: SeenState = {
      status: detail === null ? 'ok' : 'changed',
      detail,
      code: null,
      checkedAt: nowSeconds(),
      functions,
      hashes,
      changed,
    }
    this.#states.set(id, state)
    return state
  }

  noteFailure(id: string, detail: string, code: string | null): void {
    const before = this.#states.get(id)
    const { functions = [], hashes = {}, changed = [] } = before ?? {}
    this.#states.set(id, {
      status: 'failed',
      detail,
      code,
      checkedAt: nowSeconds(),
      functions,
      hashes,
      changed,
    })
  }

  addLine(id: string, line: string): void {
    const lines = this.#logs.get(id) ?? []
    lines.push({ at: Date.now(), line })
    if (lines.length > MOST_LINES) lines.shift()
    this.#logs.set(id, lines)
  }

  lines(id: string): readonly LogLine[] {
    return this.#logs.get(id) ?? []
  }

  forget(id: string): void {
    this.#states.delete(id)
    this.#logs.delete(id)
  }
}
