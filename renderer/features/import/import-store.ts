import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  FoundProgram,
  Import,
  ImportChat,
  ImportResult,
  UndoneImport,
} from '#contract/imports.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { upload } from '../../api/upload.ts'

/** Current step of the assistant. */
export type ImportStep =
  | { readonly kind: 'choose'; readonly problem: string | null }
  /** `part` is 1 once the upload is complete and the gateway is reading it. */
  | { readonly kind: 'uploading'; readonly name: string; readonly part: number }
  | {
      readonly kind: 'preview'
      readonly archive: Import
      readonly selection: ReadonlySet<string>
      /** True if the prompts are to be imported as well. */
      readonly withPrompts: boolean
      readonly problem: string | null
    }
  | {
      readonly kind: 'running'
      readonly archive: Import
      readonly done: number
      readonly total: number
      readonly isStopping: boolean
    }
  | {
      readonly kind: 'done'
      readonly archive: Import
      readonly result: ImportResult
      readonly wasStopped: boolean
    }

export type ImportStore = StoreApi<ImportStep>

export const BEGINNING: ImportStep = Object.freeze({ kind: 'choose', problem: null })

export const createImportStore = (): ImportStore => createStore<ImportStep>(() => BEGINNING)

const uploads = new WeakMap<ImportStore, AbortController>()

/** Browsers report different types for archives, so the type is derived from the file name. */
const typeOf = (name: string): string => {
  const end = name.toLowerCase().split('.').at(-1)
  if (end === 'json') return 'application/json'
  return end === 'zip' ? 'application/zip' : 'application/octet-stream'
}

const isWorthwhile = ({ state }: Pick<ImportChat, 'state'>): boolean => state !== 'known'

/** Shows the progress of reading an archive, then its preview. */
async function takeArchive(
  store: ImportStore,
  name: string,
  read: (abort: AbortController) => Promise<Import>,
): Promise<void> {
  const abort = new AbortController()
  uploads.set(store, abort)
  store.setState({ kind: 'uploading', name, part: 0 }, true)
  try {
    const archive = await read(abort)
    const selection = new Set(archive.chats.filter(isWorthwhile).map((chat) => chat.key))
    const withPrompts = archive.prompts.some(isWorthwhile)
    store.setState({ kind: 'preview', archive, selection, withPrompts, problem: null }, true)
  } catch (thrown) {
    store.setState({ kind: 'choose', problem: isAborted(thrown) ? null : toSentence(thrown) }, true)
  }
}

/**
 * Reads the data of a program on the gateway's computer, and resolves when the preview of the
 * import is ready.
 */
export const openProgram = (
  store: ImportStore,
  { id }: FoundProgram,
  name: string,
): Promise<void> =>
  takeArchive(store, name, (abort) => {
    store.setState({ kind: 'uploading', name, part: 1 }, true)
    return call(
      endpoints.imports.openProgram,
      { params: { program_id: id } },
      { signal: abort.signal },
    )
  })

/** Uploads an archive to the gateway, which reads it and returns a preview of the import. */
export const readArchive = (store: ImportStore, file: File): Promise<void> =>
  takeArchive(store, file.name, (abort) => {
    const onProgress = (part: number): void => {
      if (!abort.signal.aborted) store.setState({ kind: 'uploading', name: file.name, part }, true)
    }
    return upload(endpoints.imports.create, {}, file, {
      type: typeOf(file.name),
      signal: abort.signal,
      onProgress,
    })
  })

export const cancelUpload = (store: ImportStore): void => uploads.get(store)?.abort()

/** Selects or deselects chats. */
export function choose(store: ImportStore, keys: readonly string[], chosen: boolean): void {
  const step = store.getState()
  if (step.kind !== 'preview') return
  const selection = new Set(step.selection)
  for (const key of keys) {
    if (chosen) selection.add(key)
    else selection.delete(key)
  }
  store.setState({ ...step, selection }, true)
}

/** Determines whether the prompts are imported as well. */
export function choosePrompts(store: ImportStore, withPrompts: boolean): void {
  const step = store.getState()
  if (step.kind === 'preview') store.setState({ ...step, withPrompts }, true)
}

const ASK_EVERY = 400

/** Polls the progress of an import until it has ended. */
function followProgress(store: ImportStore, importId: string): () => void {
  const ask = async (): Promise<void> => {
    const { progress } = await call(endpoints.imports.get, { params: { import_id: importId } })
    const step = store.getState()
    if (step.kind === 'running') store.setState({ ...step, ...progress }, true)
  }
  // Errors are reported by the import call itself.
  const timer = setInterval(() => void ask().catch(() => undefined), ASK_EVERY)
  return () => clearInterval(timer)
}

/** Imports the selected chats, and the prompts if the user may add them. */
export async function runImport(store: ImportStore, canAddPrompts: boolean): Promise<void> {
  const step = store.getState()
  if (step.kind !== 'preview') return
  const { archive, selection } = step
  const prompts = canAddPrompts && step.withPrompts
  const total = selection.size + (prompts ? archive.prompts.length : 0)
  store.setState({ kind: 'running', archive, done: 0, total, isStopping: false }, true)
  const stop = followProgress(store, archive.import_id)
  try {
    const isAll = selection.size === archive.chats.length
    const chosen = isAll ? { all: true } : { keys: [...selection] }
    const body = prompts ? { ...chosen, prompts } : chosen
    const result = await call(endpoints.imports.run, {
      params: { import_id: archive.import_id },
      body,
    })
    const now = store.getState()
    store.setState(
      { kind: 'done', archive, result, wasStopped: now.kind === 'running' && now.isStopping },
      true,
    )
  } catch (thrown) {
    store.setState({ ...step, problem: toSentence(thrown) }, true)
  } finally {
    stop()
  }
}

/** Stops a running import; what was imported so far is shown as its result. */
export async function stopImport(store: ImportStore): Promise<void> {
  const step = store.getState()
  if (step.kind !== 'running' || step.isStopping) return
  store.setState({ ...step, isStopping: true }, true)
  await call(endpoints.imports.remove, { params: { import_id: step.archive.import_id } })
}

/**
 * Moves the chats of an import to the trash and deletes its prompts, unless they were changed since.
 */
export const undoImport = (importId: string): Promise<UndoneImport> =>
  call(endpoints.imports.undo, { params: { import_id: importId } })

/** Aborts the current step and starts over; the gateway discards the archive. */
export async function startOver(store: ImportStore): Promise<void> {
  const step = store.getState()
  store.setState(BEGINNING, true)
  const isForgotten = step.kind === 'done' && step.wasStopped
  if ('archive' in step && !isForgotten)
    await call(endpoints.imports.remove, { params: { import_id: step.archive.import_id } })
}
