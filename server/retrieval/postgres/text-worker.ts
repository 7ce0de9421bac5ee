// Runs in a dedicated thread: splitting documents and ranking passages would block all other work.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { choosePassages } from '../searching/choose.ts'
import { createTokenCounter, type CountTokens } from '../splitting/count-tokens.ts'
import { splitInSlices } from '../splitting/split-in-slices.ts'
import { judge } from './judge.ts'
import type { TextCommand, TextReport } from './messages.ts'

/** Number of chunks sent at once. */
const CHUNKS_TOGETHER = 1000

const port = parentPort!
/** Pieces of long texts that are still incomplete. */
const pieces = new Map<number, string[]>()
const stoppers = new Map<number, AbortController>()
let counting: Promise<CountTokens> | null = null

const tell = (report: TextReport): void => port.postMessage(report)
const counter = (): Promise<CountTokens> => (counting ??= createTokenCounter())

async function split({ id, content, plan }: TextCommand & { type: 'split' }): Promise<void> {
  const parts = pieces.get(id)
  pieces.delete(id)
  const stopper = new AbortController()
  stoppers.set(id, stopper)
  const pause = async (): Promise<void> => {
    await nextTurn()
    stopper.signal.throwIfAborted()
  }
  try {
    const whole = parts ? { ...content, text: parts.join('') } : content
    const chunks = await splitInSlices(whole, plan, { counter, pause })
    for (let from = 0; from === 0 || from < chunks.length; from += CHUNKS_TOGETHER) {
      const isLast = from + CHUNKS_TOGETHER >= chunks.length
      tell({ type: 'chunks', id, chunks: chunks.slice(from, from + CHUNKS_TOGETHER), isLast })
    }
  } finally {
    stoppers.delete(id)
  }
}

async function obey(command: TextCommand): Promise<void> {
  switch (command.type) {
    case 'text':
      pieces.set(command.id, [...(pieces.get(command.id) ?? []), command.piece])
      return
    case 'split':
      return split(command)
    case 'stop':
      pieces.delete(command.id)
      stoppers.get(command.id)?.abort(new Error('The work was stopped.'))
      return
    case 'judge':
      tell({ type: 'passages', id: command.id, passages: judge(command.gathered, command.order) })
      return
    case 'choose': {
      const { id, passages, order } = command
      tell({ type: 'passages', id, passages: choosePassages(passages, order) })
      return
    }
    case 'count': {
      const count = await counter()
      tell({ type: 'count', id: command.id, tokens: count(command.text) })
      return
    }
    case 'close':
      port.close()
  }
}

port.on('message', (command: TextCommand) => {
  obey(command).catch((error: unknown) => {
    if (command.type === 'close') return
    const reason = error instanceof Error ? error.message : String(error)
    tell({ type: 'failed', id: command.id, reason })
  })
})
