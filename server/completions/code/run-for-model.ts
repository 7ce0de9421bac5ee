import { CODE_SENTENCES, type CodeFile, type CodeResult } from '#contract/code.ts'
import { isRecord } from '../../lib/is-record.ts'
import { newId } from '../../lib/ids.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { RanCode } from './ran-code.ts'

/** Code and the name of the space that holds its variables. */
export interface WrittenCode {
  readonly code: string
  readonly space: string
}

/**
 * Opens the space for the variables of an answer: that of its chat, otherwise one for the duration
 * of the answer.
 */
export function openSpace(
  parts: CompletionsParts,
  { chatId, caller, sessionId }: Exchange,
): { readonly name: string; readonly close: () => Promise<void> } {
  // A connected window runs the code itself, so no process is started for it.
  if (chatId === null || sessionId === null) parts.code!.warm()
  if (chatId !== null) return { name: chatId, close: async () => undefined }
  const name = `answer:${newId()}`
  return { name, close: () => parts.code!.forget(caller.userId, name) }
}

const NAME = 'Python'
const PHASES = {
  queued: 'Waiting for a process to run Python…',
  loading: 'Loading Python…',
  running: 'Running Python…',
} as const

/** Returns the files of the request that code may read, by the names under which it finds them. */
function attachedFiles({ sent }: Exchange): CodeFile[] {
  return (sent.files ?? []).filter(isRecord).flatMap((item) => {
    const inner = isRecord(item['file']) ? item['file'] : {}
    const id = item['id'] ?? inner['id']
    const name = item['name'] ?? item['filename'] ?? inner['filename'] ?? id
    return item['type'] === 'file' && typeof id === 'string' && typeof name === 'string'
      ? [{ id, name: name.slice(0, 255) || id }]
      : []
  })
}

const addressOf = ({ id }: CodeFile): string => `/api/v1/files/${id}/content`

/** Returns what a run with a chat shows, and what another keeps, by addresses for the answer. */
function describeMade({ pictures, files }: CodeResult, isShown: boolean): string[] {
  if (!isShown)
    return [
      ...pictures.map((address) => `[A picture was drawn and kept at ${address}.]`),
      ...files.map((file) => `[The file ${file.name} was kept at ${addressOf(file)}.]`),
    ]
  const drawn = pictures.length === 1 ? 'A picture was' : `${pictures.length} pictures were`
  return [
    ...(pictures.length === 0 ? [] : [`[${drawn} drawn and shown to the person.]`]),
    ...files.map(({ name }) => `[The person was given the file ${name}.]`),
  ]
}

/** Returns the description of a run for the model. */
function describeResult(run: CodeResult, isShown: boolean): string {
  const { status, stdout, stderr, result } = run
  const parts = [
    stdout.trimEnd(),
    result === null ? '' : `Value of the last line: ${result}`,
    stderr.trimEnd(),
    ...describeMade(run, isShown),
  ].filter((part) => part !== '')
  if (parts.length > 0) return parts.join('\n')
  return status === 'ok' ? 'The code ran and printed nothing.' : 'The code failed without a word.'
}

/**
 * Returns the run in the form clients keep with the message (plugin contract, `code_executions`).
 */
function toExecution(id: string, code: string, result: CodeResult | null) {
  const base = { type: 'code_execution', id, name: NAME, code, language: 'python' }
  if (!result) return base
  const output = [result.stdout, result.result ?? ''].filter((text) => text !== '').join('\n')
  const failure = result.status === 'ok' ? '' : result.stderr
  const pictures = result.pictures.map((url, index) => ({
    name: `picture-${index + 1}`,
    url,
    type: 'image',
  }))
  const files = [
    ...pictures,
    ...result.files.map((file) => ({ name: file.name, url: addressOf(file), id: file.id })),
  ]
  return {
    ...base,
    result: { output, ...(failure !== '' && { error: failure }), files },
    outcome: result,
  }
}

/**
 * Runs code of the model in the window of the request, otherwise on the gateway, and reports its
 * progress.
 */
export async function runForModel(
  parts: CompletionsParts,
  exchange: Exchange,
  { code, space }: WrittenCode,
): Promise<RanCode> {
  const { caller, chatId, sessionId, signal } = exchange
  const id = newId()
  const tell = (description: string, done: boolean, isFailure = false): void =>
    exchange.tell({
      type: 'status',
      data: { action: 'code_interpreter', description, done, ...(isFailure && { error: true }) },
    })
  tell(PHASES.running, false)
  exchange.tell({ type: 'source', data: toExecution(id, code, null) })
  // The answer ends before the run does, and takes no result from then on.
  const endStopped = (): void => {
    tell('The code was stopped.', true)
    const stopped = { output: '', error: CODE_SENTENCES.stopped, files: [] }
    exchange.tell({ type: 'source', data: { ...toExecution(id, code, null), result: stopped } })
  }
  signal.addEventListener('abort', endStopped, { once: true })
  const result = await parts
    .code!.run({
      id,
      use: 'INTERPRETER',
      userId: caller.userId,
      chatId: space,
      code,
      files: attachedFiles(exchange),
      signal,
      onPhase: (phase) => {
        exchange.tell({ type: 'code:progress', data: { run_id: id, phase, text: PHASES[phase] } })
        if (phase !== 'running') tell(PHASES[phase], false)
      },
      window:
        sessionId === null || chatId === null
          ? null
          : { sessionId, ask: (event, wait) => exchange.ask(event, wait) },
    })
    .finally(() => signal.removeEventListener('abort', endStopped))
  const isFailure = result.status !== 'ok'
  if (!signal.aborted) {
    tell(isFailure ? 'The code failed.' : 'Ran Python.', true, isFailure)
    exchange.tell({ type: 'source', data: toExecution(id, code, result) })
  }
  const pictures = result.pictures.map((url) => ({ type: 'image', url }))
  const files = [
    ...pictures,
    ...result.files.map((file) => ({ ...file, type: 'file', url: addressOf(file) })),
  ]
  return { id, code, text: describeResult(result, chatId !== null), result, files }
}
