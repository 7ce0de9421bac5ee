// oxlint-disable-next-line import/default -- the bundler answers this import with the worker's address
import workerAddress from './highlight-worker.ts?worker&url'
import type { GrammarName } from './grammar-names.ts'
import type { ColouredLine, HighlightReply, HighlightRequest } from './highlight-protocol.ts'
import { trustAddress } from '../../lib/trusted-types.ts'

type Lines = readonly ColouredLine[] | null

const KEPT = 200
const kept = new Map<string, Lines>()
const waiting = new Map<number, (lines: Lines) => void>()
let worker: Worker | null = null
let lastId = 0

function startWorker(): Worker {
  const started = new Worker(trustAddress('highlight', workerAddress), {
    type: 'module',
    name: 'highlight',
  })
  started.addEventListener('message', (event: MessageEvent<HighlightReply>) => {
    waiting.get(event.data.id)?.(event.data.lines)
    waiting.delete(event.data.id)
  })
  return started
}

let last = ''

/** Stores highlighted code; of growing code only the latest version is kept. */
function remember(key: string, lines: Lines): void {
  if (key !== last && key.startsWith(last)) kept.delete(last)
  last = key
  kept.set(key, lines)
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!)
}

const toKey = (code: string, grammar: GrammarName): string => `${grammar}\n${code}`

/** Returns cached colours of this code, or else of its beginning; undefined if there are none. */
export function knownColours(code: string, grammar: GrammarName): Lines | undefined {
  const key = toKey(code, grammar)
  if (kept.has(key)) return kept.get(key)
  const beginnings = [...kept.keys()].filter((each) => key.startsWith(each))
  const longest = beginnings.toSorted((left, right) => right.length - left.length)[0]
  return longest === undefined ? undefined : kept.get(longest)
}

/** Highlights code in a worker, off the UI thread. */
export function highlight(code: string, grammar: GrammarName): Promise<Lines> {
  if (typeof Worker === 'undefined') return Promise.resolve(null)
  worker ??= startWorker()
  const id = ++lastId
  return new Promise((resolve) => {
    waiting.set(id, (lines) => {
      remember(toKey(code, grammar), lines)
      resolve(lines)
    })
    worker!.postMessage({ id, code, grammar } satisfies HighlightRequest)
  })
}
