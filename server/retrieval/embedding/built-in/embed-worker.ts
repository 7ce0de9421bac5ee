// Runs in a worker thread: reading a batch of passages takes longer than the event loop may wait.
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
