import { mapInOrder } from '../../lib/in-order.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { conflict } from '../../lib/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Library, LibraryFile } from './library.ts'
import type { Reading } from './readings.ts'

const LOOK_EVERY_MS = 200

/**
 * Waits until attached files are extracted; throws 409 if that takes too long. Failed files are
 * left out, with the reason.
 */
export async function waitForFiles(
  { settings }: CompletionsParts,
  library: Library,
  exchange: Exchange,
  readings: readonly Reading[],
): Promise<void> {
  const files = readings.flatMap((reading) => reading.files)
  const look = async () =>
    (await mapInOrder(files, ({ id }) => library.files.get(exchange.caller.userId, id))).filter(
      (file) => file !== null,
    )
  let pending = (await look()).filter(isPending)
  const unasked = pending.filter(({ isAsked }) => !isAsked)
  if (unasked.length > 0) throw notAsked(unasked)
  if (pending.length > 0) {
    const note = (description: string, done: boolean) =>
      exchange.tell({
        type: 'status',
        data: { action: 'files_pending', count: pending.length, description, done },
      })
    note(
      pending.length === 1
        ? `Waiting for ${pending[0]!.filename} to be read…`
        : `Waiting for ${pending.length} files to be read…`,
      false,
    )
    const until = performance.now() + settings.get('RAG_FILE_WAIT_SECONDS') * 1000
    try {
      while (pending.length > 0 && performance.now() < until) {
        await delay(LOOK_EVERY_MS, undefined, { signal: exchange.signal })
        pending = (await look()).filter(isPending)
      }
    } finally {
      note(pending.length === 0 ? 'The files are read.' : 'The files are not ready yet.', true)
    }
    if (pending.length > 0) throw notReady(pending)
  }
  noteFailed(
    exchange,
    (await look()).filter(({ status }) => status === 'failed'),
  )
}

const isPending = ({ status }: LibraryFile): boolean => status === 'pending'

const toNames = (files: readonly LibraryFile[]): string =>
  files
    .map(({ filename }) => filename)
    .join(', ')
    .slice(0, 300)

const notAsked = (files: readonly LibraryFile[]) =>
  conflict(
    `${toNames(files)}: was uploaded without being read. Have it read first, or remove it.`,
    { code: 'file_not_read' },
  )

const notReady = (files: readonly LibraryFile[]) =>
  conflict(`${toNames(files)}: still being read. Ask again when it is ready, or remove it.`, {
    code: 'file_pending',
  })

function noteFailed(exchange: Exchange, files: readonly LibraryFile[]): void {
  for (const { filename, error } of files) {
    const sentence = `${filename} could not be read and is left out.`
    const description = error ? `${sentence} ${error}` : sentence
    exchange.tell({
      type: 'status',
      data: { action: 'sources_left_out', count: 1, description, done: true },
    })
  }
}
