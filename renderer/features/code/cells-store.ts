import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ShownOutcome } from '../../ui/code-output/shown-outcome.ts'
import type { OutputPiece } from '#contract/python-frame.ts'
import type { CellProgress } from './interpreter.ts'

/** A run in progress. */
export interface RunningCell {
  readonly progress: CellProgress
  readonly pieces: readonly OutputPiece[]
  readonly stop: () => void
}

/** A code block of a message that was run or edited. */
export interface Cell {
  /** Edited code that replaces the message's; null while unchanged. */
  readonly draft: string | null
  readonly isEditing: boolean
  readonly running: RunningCell | null
  readonly outcome: ShownOutcome | null
  /** Code that produced the outcome. */
  readonly ran: string
}

export type CellsStore = StoreApi<{ readonly cells: Readonly<Record<string, Cell>> }>

export const NEW_CELL: Cell = Object.freeze({
  draft: null,
  isEditing: false,
  running: null,
  outcome: null,
  ran: '',
})

export const createCellsStore = (): CellsStore => createStore(() => ({ cells: {} }))

/** Two identical code blocks of a message share a cell. */
export const toCellKey = (messageId: string, code: string): string => `${messageId}\n${code}`

export const cellOf = (store: CellsStore, key: string): Cell =>
  store.getState().cells[key] ?? NEW_CELL

export function patchCell(store: CellsStore, key: string, patch: Partial<Cell>): void {
  store.setState(({ cells }) => ({
    cells: { ...cells, [key]: { ...(cells[key] ?? NEW_CELL), ...patch } },
  }))
}
