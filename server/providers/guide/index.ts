import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { isRecord } from '../../lib/is-record.ts'
import { collectCompletion } from '../collect-completion.ts'
import type { CompletionCall, Provider, ProviderModel } from '../provider.ts'
import { answerQuestion } from './answers.ts'

/** The built-in model that is none: it explains how to connect one. */
export const GUIDE_MODEL: ProviderModel = {
  id: 'guide',
  name: 'Guide (not an AI)',
  created: 0,
  ownedBy: 'gateway',
  description: 'Built-in help in fixed words. It shows how an answer looks and how to connect a model.',
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { vision: false, tools: false, reasoning: false, file_upload: false, usage: false, citations: false },
}

/** Between two pieces, so that the text appears at a reading pace like that of a model. */
const PACE_MILLISECONDS = [20, 34, 26, 40, 23, 30] as const

function questionOf(body: CompletionCall['body']): string {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : []
  const content = messages.findLast((message) => message['role'] === 'user')?.['content']
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isRecord) : []
  return parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join(' ')
}

/** A few words at a time; joined they give the text again. */
const toPieces = (text: string): string[] => text.match(/\s*\S+(?:[^\S\n]+\S+){0,2}|\s+$/g) ?? []

async function* stream(call: CompletionCall, paceFactor: number): AsyncGenerator<ChatCompletionChunk, void, void> {
  const head = { id: `chatcmpl-${newId()}`, object: 'chat.completion.chunk', created: nowSeconds(), model: GUIDE_MODEL.id }
  const toFrame = (delta: Record<string, unknown>, finish: string | null = null): ChatCompletionChunk => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  if (call.signal.aborted) return
  yield toFrame({ role: 'assistant', content: '' })
  for (const [position, content] of toPieces(answerQuestion(questionOf(call.body))).entries()) {
    const pause = PACE_MILLISECONDS[position % PACE_MILLISECONDS.length]! * paceFactor
    if (pause > 0) await sleep(pause, null, { signal: call.signal }).catch(() => null)
    if (call.signal.aborted) return
    yield toFrame({ content })
  }
  yield toFrame({}, 'stop')
}

export function createGuideProvider(): Provider {
  return {
    connectionId: 'guide',
    kind: 'guide',
    name: 'Built in',
    type: 'local',
    listModels: () => Promise.resolve([GUIDE_MODEL]),
    stream: (call) => stream(call, 1),
    complete: (call) => collectCompletion(stream(call, 0), call),
    check: () =>
      Promise.resolve({ ok: true, detail: 'The guide is always there.', version: null, models: [GUIDE_MODEL.id], milliseconds: 0 }),
  }
}
