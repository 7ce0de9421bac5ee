import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import { ServiceError } from '../lib/errors.ts'
import { explainDepth } from '../lib/explain-depth.ts'
import { toServiceError } from '../lib/to-error.ts'
import type { CompletionFrame } from '../providers/index.ts'
import type { TaskStop } from '../tasks/index.ts'
import { createAnswer, type Answer } from './answer.ts'
import type { Findings } from './exchange.ts'
import { finishTurn, giveWay } from './finish-turn.ts'
import type { CompletionsParts } from './index.ts'
import { createLiveAnswers } from './live-answers.ts'
import { turnEvents, type Turn } from './open-turn.ts'
import { toAnswerPatch, type Outcome } from './outcome.ts'
import { createAnswerPublisher } from './publish-answer.ts'

/** A model that never stops may not fill the memory, and an answer is written in one go. */
const MAX_ANSWER_UNITS = 6 * 1024 * 1024

/** What an answer is written with; that of a temporary chat is written nowhere. */
export interface RunParts extends Pick<
  CompletionsParts,
  'tasks' | 'live' | 'longSaves' | 'log' | 'closing' | 'notices'
> {
  readonly chats: Pick<Chats, 'saveAnswer' | 'updatedAt'>
  readonly events: Pick<Events, 'emit'>
}

interface RunOptions {
  readonly turn: Turn
  readonly findings: Findings
  readonly frames: AsyncGenerator<CompletionFrame, void, void>
  /** Answers what the next piece has to wait for, if anything. */
  readonly onChunk?: (chunk: ChatCompletionChunk) => Promise<void> | null
}

export interface FinishedRun {
  readonly answer: Answer
  readonly outcome: Outcome
  /** See `AnswerNotices`. */
  readonly notice: string | null
}

/**
 * Writes one owned answer from its first piece to its final save. Never rejects: every end is an
 * outcome.
 */
export async function runTurn(
  allParts: CompletionsParts,
  { turn, findings, frames, onChunk }: RunOptions,
): Promise<FinishedRun> {
  const parts = toRunParts(allParts, turn)
  const { chats, events, tasks, live, longSaves, log } = parts
  const answer = createAnswer()
  live.add(turn.chatId, turn.messageId, () => toAnswerPatch(answer))
  const onGone = () => void tasks.stop(turn.task.id, 'deleted')
  const publisher = createAnswerPublisher({ turn, answer, chats, events, longSaves, log, onGone })
  const outcome = await collect({
    turn,
    frames,
    answer,
    onPiece: () => publisher.changed(),
    onChunk,
  })
  publisher.stop()
  answer.close()
  await giveWay(answer)
  const notice = await finishTurn(parts, { turn, answer, findings, outcome })
  return { answer, outcome, notice }
}

function toRunParts(parts: CompletionsParts, turn: Turn): RunParts {
  if (turn.temporarySession === null) return parts
  return {
    ...parts,
    chats: { saveAnswer: () => true, updatedAt: () => null },
    live: createLiveAnswers(),
    notices: undefined,
    events: turnEvents(parts.events, turn),
  }
}

async function collect(
  run: Omit<RunOptions, 'findings'> & { answer: Answer; onPiece: () => void },
): Promise<Outcome> {
  const { turn, frames, answer, onPiece, onChunk } = run
  const { signal } = turn.task
  const stopped = (): Outcome => ({ kind: 'stopped', reason: signal.reason as TaskStop })
  try {
    for await (const frame of frames) {
      if (signal.aborted) return stopped()
      if (!('choices' in frame)) {
        const { message, code, status } = (frame as Extract<CompletionFrame, { error: unknown }>)
          .error
        return { kind: 'failed', error: new ServiceError(status, message, { code }) }
      }
      const chunk = frame as ChatCompletionChunk
      answer.append(chunk)
      onPiece()
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
