import type { ChatCompletionChunk } from '#contract/completions.ts'
import { ServiceError } from '../../lib/errors.ts'
import { explainDepth } from '../../lib/json/explain-depth.ts'
import { countTokens } from '../../lib/tally.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { ErrorFrame } from '../../providers/index.ts'
import type { Task, TaskStop } from '../../tasks/index.ts'
import { createAnswer, type Answer } from './answer.ts'
import { noFindings } from '../exchange.ts'
import { finishTurn, giveWay } from './finish-turn.ts'
import { followUp } from '../follow-up/follow-up.ts'
import { generateOwned } from '../generate/generate.ts'
import { toFrameError } from '../deliver/collect-answer.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { createLiveAnswers } from './live-answers.ts'
import type { OpenAnswer, RunParts, WrittenAnswer } from '../turn/open-answer.ts'
import { turnEvents, type Turn } from '../turn/open-turn.ts'
import { toAnswerPatch, type Outcome } from './outcome.ts'
import { prepareRequest } from '../prepare/prepare.ts'
import { AnswerPublisher } from './publish-answer.ts'

/**
 * Maximum length of an answer: a model that never stops must not exhaust the memory, and an answer
 * is written in one go.
 */
const MAX_ANSWER_UNITS = 6 * 1024 * 1024

/** Returns a promise the next chunk has to wait for, if any. */
export type OnChunk = (chunk: ChatCompletionChunk) => Promise<void> | null

/**
 * Writes one owned answer: its request is prepared, the model generates, each chunk is collected,
 * saved and shown, and the follow-up of a complete answer is started. Never rejects: every end is
 * an outcome.
 */
export async function writeAnswer(
  parts: CompletionsParts,
  opened: OpenAnswer,
  onChunk?: OnChunk,
): Promise<WrittenAnswer> {
  try {
    return await write(parts, opened, onChunk)
  } finally {
    if (!(opened.exchange instanceof Error)) opened.exchange.lifetime.end()
  }
}

async function write(
  allParts: CompletionsParts,
  opened: OpenAnswer,
  onChunk: OnChunk | undefined,
): Promise<WrittenAnswer> {
  const { turn, exchange } = opened
  const parts = toRunParts(allParts, turn)
  const { chats, events, tasks, live, longSaves, log } = parts
  const answer = createAnswer({ begun: turn.begun })
  live.add(turn.chatId, turn.messageId, () => toAnswerPatch(answer))
  turn.temporaryTexts?.follow(() => answer.content.length)
  const onGone = () => void tasks.stop(turn.task.id, 'deleted')
  const publisher = new AnswerPublisher({ turn, answer, chats, events, longSaves, log, onGone })
  const outcome = await collect(allParts, exchange, { turn, answer, publisher, onChunk })
  // Events of tools and filters are delivered before the end of the answer.
  if (!(exchange instanceof Error)) await exchange.allTold()
  await publisher.stop()
  answer.close()
  countAnswer(answer, turn)
  await giveWay(answer)
  const findings = exchange instanceof Error ? noFindings() : exchange.findings
  const filtering = outcome.kind === 'complete' ? startFiltering(allParts, turn) : null
  const { notice, content } = await finishTurn(parts, { turn, answer, findings, outcome })
  const over = (): void => allParts.events.answerOver(turn)
  if (filtering && !turn.task.signal.aborted && !(exchange instanceof Error)) {
    const { promise: filtered, resolve: onFiltered } = Promise.withResolvers<void>()
    const answered = turn.temporaryTexts?.weave(answer.content).text ?? answer.content
    void followUp(allParts, opened, { exchange, answered, notice, filtering, onFiltered })
      .catch((error: unknown) =>
        log.warn({ error, chat_id: turn.chatId }, 'the follow-up work of an answer failed'),
      )
      .finally(() => {
        onFiltered()
        over()
      })
    // A caller that reads the chat after its reply finds the message the outlet filters left.
    await filtered
  } else {
    filtering?.finish()
    over()
  }
  return { answer, content, findings, outcome }
}

const startFiltering = ({ tasks }: CompletionsParts, { userId, chatId, messageId }: Turn): Task =>
  tasks.start({ userId, chatId, messageId, kind: 'outlet' })

/**
 * Counts the tokens of this turn; those of a continued first part were counted when it was written.
 */
function countAnswer({ usage }: Answer, { begun }: Turn): void {
  const grown = (name: string): number =>
    (Number(usage?.[name]) || 0) - (Number(begun?.usage?.[name]) || 0)
  countTokens({ input: grown('input_tokens'), output: grown('output_tokens') })
}

function toRunParts(parts: CompletionsParts, turn: Turn): RunParts {
  const { chats } = parts
  const { writer } = turn.task
  if (turn.temporarySession === null)
    return writer === null
      ? parts
      : {
          ...parts,
          chats: {
            saveAnswer: (chatId, messageId, patch, options) =>
              chats.saveAnswer(chatId, messageId, patch, { ...options, writer }),
            updatedAt: (chatId) => chats.updatedAt(chatId),
            wovenText: (chatId, messageId, text) => chats.wovenText(chatId, messageId, text),
          },
        }
  return {
    ...parts,
    chats: {
      saveAnswer: async () => true,
      updatedAt: async () => null,
      wovenText: (_chatId, _messageId, text) =>
        turn.temporaryTexts?.weave(text) ?? { text, events: 0 },
    },
    live: createLiveAnswers(),
    notices: undefined,
    events: turnEvents(parts.events, turn),
  }
}

interface Collecting {
  readonly turn: Turn
  readonly answer: Answer
  readonly publisher: AnswerPublisher
  readonly onChunk: OnChunk | undefined
}

/** Collects the answer. An error before the first chunk ends it like a failure of the provider. */
async function collect(
  parts: CompletionsParts,
  exchange: OpenAnswer['exchange'],
  { turn, answer, publisher, onChunk }: Collecting,
): Promise<Outcome> {
  const { signal } = turn.task
  const stopped = (): Outcome => ({ kind: 'stopped', reason: signal.reason as TaskStop })
  try {
    if (exchange instanceof Error) throw exchange
    const request = await prepareRequest(parts, exchange)
    for await (const frame of generateOwned(parts, exchange, request)) {
      if (signal.aborted) return stopped()
      if (!('choices' in frame)) {
        return { kind: 'failed', error: toFrameError(frame as ErrorFrame) }
      }
      const chunk = frame as ChatCompletionChunk
      // Events may write into the same message: the text keeps its place behind earlier ones.
      await exchange.allTold()
      answer.append(chunk)
      publisher.changed()
      const behind = onChunk?.(chunk)
      if (behind) await behind
      if (answer.size > MAX_ANSWER_UNITS) return { kind: 'failed', error: tooLong() }
    }
  } catch (error) {
    return signal.aborted
      ? stopped()
      : { kind: 'failed', error: toServiceError(explainDepth(error)) }
  }
  return signal.aborted ? stopped() : { kind: 'complete' }
}

const tooLong = (): ServiceError =>
  new ServiceError(
    502,
    'The model wrote more than the gateway can keep. What had arrived is kept.',
    { code: 'answer_too_long' },
  )
