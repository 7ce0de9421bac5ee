import type { Chats } from '../chats/index.ts'
import type { Events } from '../events/index.ts'
import type { Route } from '../lib/http.ts'
import type { Logger } from '../lib/logger.ts'
import type { Models } from '../models/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Tasks } from '../tasks/index.ts'
import { answerStateless } from './answer-stateless.ts'
import { deliver, type CompletionCall } from './deliver.ts'
import { createDialectRoutes } from './dialects/routes.ts'
import type { DialectParts } from './dialects/stateless-call.ts'
import { filterStream, type StreamFilter } from './filter-stream.ts'
import { generate } from './generate.ts'
import { generateTitle } from './generate-title.ts'
import { createLiveAnswers, type LiveAnswers } from './live-answers.ts'
import { openTurn, type Turn } from './open-turn.ts'
import { prepareRequest } from './prepare.ts'
import { createRoutes } from './routes.ts'
import { separateReasoning } from './separate-reasoning.ts'

/** The streaming pipeline (house plan §4). */
export interface Completions {
  readonly routes: readonly Route[]
  /** Ends background work such as naming chats; running answers are drained through their tasks. */
  close(): void
}

/** What the pipeline is built on. */
export interface CompletionsDependencies {
  readonly models: Pick<Models, 'resolve'>
  readonly chats: Chats
  readonly tasks: Tasks
  readonly events: Pick<Events, 'emit' | 'hasSession'>
  readonly settings: Pick<Settings, 'boolean' | 'string'>
  readonly log: Logger
}

/** The dependencies with what the stops of one pipeline share. */
export interface CompletionsParts extends CompletionsDependencies {
  readonly live: LiveAnswers
  /** Aborts when the gateway shuts down. */
  readonly closing: AbortSignal
}

const STREAM_FILTERS: readonly StreamFilter[] = []

/** Builds the pipeline and lets chats see the answers it is writing. */
export function createCompletions(dependencies: CompletionsDependencies): Completions {
  const closing = new AbortController()
  const parts: CompletionsParts = { ...dependencies, live: createLiveAnswers(), closing: closing.signal }
  dependencies.chats.setLiveAnswers((chatId, messageId) => parts.live.find(chatId, messageId))
  const dialects: DialectParts = {
    models: dependencies.models,
    prepare: (request, { caller, resolved }) => prepareRequest(request, { caller, resolved, now: new Date(), thread: () => [] }),
    filters: STREAM_FILTERS,
  }
  return {
    routes: [...createRoutes((call) => runCompletion(parts, call)), ...createDialectRoutes(dialects)],
    close: () => closing.abort(),
  }
}

/**
 * One completion from request to reply. The model is resolved before the turn is opened, so that a request for an
 * unknown model leaves no placeholder behind.
 */
async function runCompletion(parts: CompletionsParts, call: CompletionCall): Promise<unknown> {
  const { body, caller } = call
  const found = parts.models.resolve(caller, body.model)
  const resolved = found instanceof Promise ? await found : found
  const turn = openTurn(parts, { caller, request: body, resolved })
  if (!turn) {
    const request = prepareRequest(body, { caller, now: new Date(), thread: () => [] })
    return answerStateless({ call, request, resolved, filters: STREAM_FILTERS })
  }
  const prepare = () => prepareRequest(body, { caller, now: new Date(), thread: () => storedThread(parts.chats, turn) })
  const frames = filterStream(separateReasoning(generate({ resolved, prepare, signal: turn.task.signal })), STREAM_FILTERS)
  return deliver(parts, {
    call,
    turn,
    frames,
    onFinished({ outcome }) {
      if (outcome.kind === 'complete' && body.background_tasks?.title_generation) void generateTitle(parts, { turn, caller, resolved })
    },
  })
}

function storedThread(chats: Chats, turn: Turn): CompletionCall['body']['messages'] {
  if (turn.parentId === null) return []
  return chats.thread(turn.chatId, turn.parentId).map(({ role, content }) => ({ role, content }))
}
