// Runs in a worker thread: processing a batch of passages would block the event loop too long.
import { parentPort, workerData } from 'node:worker_threads'
import type { EmbedReply, EmbedRequest } from './messages.ts'
import { readLexicon } from './lexicon.ts'
import { embedText } from './vectors.ts'

const lexicon = readLexicon(String(workerData))

parentPort?.on('message', ({ id, texts }: EmbedRequest) => {
  const vectors = texts.map((text) => embedText(text, lexicon))
  const reply: EmbedReply = { id, vectors }
  parentPort?.postMessage(
    reply,
    vectors.map(({ buffer }) => buffer as ArrayBuffer),
  )
})
