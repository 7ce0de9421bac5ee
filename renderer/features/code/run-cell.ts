import type { CodeState } from '#contract/code.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { readOutcome, type ShownOutcome } from '../../ui/code-output/shown-outcome.ts'
import { cellOf, type CellsStore, patchCell } from './cells-store.ts'
import type { FileBytes, OutputPiece } from '#contract/python-frame.ts'
import type { CellOutcome, CellProgress, Interpreter } from './interpreter.ts'
import type { NamedFile } from './code-runtime.ts'
import { newId } from '../../lib/new-id.ts'

/** Dependencies for running a cell, besides its store. */
export interface RunDeps {
  readonly interpreter: Interpreter
  readonly askState: () => Promise<CodeState>
  readonly readFiles: (
    files: readonly NamedFile[],
    signal: AbortSignal,
  ) => Promise<readonly FileBytes[]>
}

export interface CellToRun {
  readonly key: string
  readonly chatId: string
  readonly code: string
  /** Stored files of the conversation. */
  readonly files: readonly NamedFile[]
}

/** Files already written to a session are not loaded again. */
const laid = new WeakMap<Interpreter, Map<string, Set<string>>>()

function freshFiles(
  interpreter: Interpreter,
  session: string,
  files: readonly NamedFile[],
): readonly NamedFile[] {
  const sessions = laid.get(interpreter) ?? new Map<string, Set<string>>()
  laid.set(interpreter, sessions)
  if (!interpreter.has(session)) sessions.delete(session)
  const known = sessions.get(session) ?? new Set()
  sessions.set(session, known)
  const fresh = files.filter(({ id }) => !known.has(id))
  for (const { id } of fresh) known.add(id)
  return fresh
}

export const toShown = ({ files, ...outcome }: CellOutcome): ShownOutcome => ({
  ...outcome,
  files: files.map(({ name, bytes }) => ({ name, bytes, size: bytes.byteLength, id: null })),
})

const failedOutcome = (reason: string): ShownOutcome => ({
  ...readOutcome({ status: 'failed' }),
  reason,
})

interface Line {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CellProgress) => void
  readonly onOutput: (pieces: readonly OutputPiece[]) => void
}

async function runHere(
  cell: CellToRun,
  deps: RunDeps,
  state: CodeState,
  line: Line,
): Promise<ShownOutcome> {
  const files = await deps.readFiles(
    freshFiles(deps.interpreter, cell.chatId, cell.files),
    line.signal,
  )
  const { chatId: session, code } = cell
  return toShown(
    await deps.interpreter.run({
      session,
      code,
      files,
      limits: state.limits,
      installed: state.installed,
      ...line,
    }),
  )
}

/** A Jupyter server can only be reached by the gateway. */
async function runOnServer(cell: CellToRun, { signal, onProgress }: Line): Promise<ShownOutcome> {
  const id = newId()
  const stop = (): void => void call(endpoints.code.stop, { params: { id } }).catch(() => undefined)
  signal.addEventListener('abort', stop)
  onProgress({ phase: 'running' })
  const chat = cell.chatId.includes(':') ? {} : { chat_id: cell.chatId }
  try {
    return readOutcome(
      await call(endpoints.code.run, {
        body: { id, code: cell.code, files: [...cell.files], ...chat },
      }),
    )
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Runs a cell and stores its result; does nothing if it is already running. */
export async function runCell(
  store: CellsStore,
  deps: RunDeps,
  cell: CellToRun,
): Promise<ShownOutcome | null> {
  const { key, code } = cell
  if (cellOf(store, key).running) return null
  const abort = new AbortController()
  const patchRun = (patch: { progress?: CellProgress; pieces?: readonly OutputPiece[] }): void => {
    const { running } = cellOf(store, key)
    if (running) patchCell(store, key, { running: { ...running, ...patch } })
  }
  patchCell(store, key, {
    outcome: null,
    ran: code,
    running: { progress: { phase: 'loading' }, pieces: [], stop: () => abort.abort() },
  })
  const line: Line = {
    signal: abort.signal,
    onProgress: (progress) => patchRun({ progress }),
    onOutput: (pieces) =>
      patchRun({ pieces: [...(cellOf(store, key).running?.pieces ?? []), ...pieces] }),
  }
  let outcome: ShownOutcome
  try {
    const state = await deps.askState()
    outcome = await (state.execution.engine === 'jupyter'
      ? runOnServer(cell, line)
      : runHere(cell, deps, state, line))
  } catch (thrown) {
    outcome = isAborted(thrown)
      ? readOutcome({ status: 'stopped' })
      : failedOutcome(toSentence(thrown))
  }
  patchCell(store, key, { outcome, running: null })
  return outcome
}
