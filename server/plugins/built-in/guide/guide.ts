import { setTimeout as sleep } from 'node:timers/promises'
import { isRecord, type Fields } from '../../../lib/is-record.ts'
import type { BuiltInCall, BuiltInPipe, PipeItem } from '../contract.ts'
import { answerQuestion } from './answers.ts'

const about = {
  id: 'guide',
  name: 'Guide (not an AI)',
  description:
    'Built-in help in fixed words. It shows how an answer looks and how to connect a model.',
}

/** Delay between two pieces, so that the text appears at a reading pace like that of a model. */
const PACE_MILLISECONDS = [20, 34, 26, 40, 23, 30] as const

function questionOf(body: Fields): string {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : []
  const content = messages.findLast((message) => message['role'] === 'user')?.['content']
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  return parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join(' ')
}

/** Splits a text into pieces of a few words; joined they are the original text. */
const toPieces = (text: string): string[] => text.match(/\s*\S+(?:[^\S\n]+\S+){0,2}|\s+$/g) ?? []

async function* answer(
  body: Fields,
  { signal }: BuiltInCall,
): AsyncGenerator<PipeItem, void, void> {
  const isRead = body['stream'] === true
  yield { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }
  for (const [position, piece] of toPieces(answerQuestion(questionOf(body))).entries()) {
    if (isRead)
      await sleep(PACE_MILLISECONDS[position % PACE_MILLISECONDS.length], null, { signal }).catch(
        () => null,
      )
    if (signal.aborted) return
    yield piece
  }
}

/** The built-in pseudo-model: it explains how to connect a real one. */
export const guide: BuiltInPipe = {
  ...about,
  kind: 'pipe',
  isActive: true,
  model: {
    ...about,
    created: 0,
    ownedBy: 'gateway',
    contextLength: null,
    maxOutputTokens: null,
    capabilities: {
      vision: false,
      tools: false,
      reasoning: false,
      file_upload: false,
      usage: false,
      citations: false,
    },
  },
  pipe: answer,
}
