import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { SpokenMessage } from '../chats/index.ts'
import { runInTurns } from '../lib/turns.ts'
import { applyFilters } from './apply-filters.ts'
import type { Exchange } from './exchange.ts'
import type { CompletionsParts } from './index.ts'
import { noteMissingFeatures } from './missing-features.ts'
import type { Turn } from './open-turn.ts'
import { drawAhead, offerPictures } from './pictures/draw-ahead.ts'
import { recall } from './recall.ts'
import { inform } from './sources/inform.ts'
import { readDocuments } from './sources/read-documents.ts'
import { showPictures } from './sources/show-pictures.ts'
import type { StepContext } from './steps/step.ts'
import { restoreCalls, toRequestThread } from './stored-thread.ts'
import { equip } from './tools/equip.ts'

/** What the steps of a request may look at, and what they do about it. */
export function toStepContext(parts: CompletionsParts, exchange: Exchange): StepContext {
  const { settings, library, people } = parts
  const { caller, turn, sent } = exchange
  const { features } = sent
  const stored = turn?.temporarySession === null ? turn : null
  const hasMemory = Boolean(features?.['memory']) && settings.boolean('ENABLE_MEMORIES')
  return {
    caller,
    now: new Date(),
    // @NOTE A getter would give this object a hidden class of its own, which keeps the whole
    //   exchange until a full collection.
    preset: () => exchange.resolved.preset,
    thread: () => (stored ? storedThread(parts, stored) : []),
    prompts: () => [
      stored ? (parts.chats.folderContext(stored.chatId)?.system_prompt ?? '') : '',
      voicePrompt(parts, features),
    ],
    about: people && (() => people.promptNames(caller.userId, new Date())),
    recall: hasMemory ? (question) => recall(parts, exchange, question) : undefined,
    restore: turn
      ? (request) => restoreCalls(request, async () => (stored ? spokenThread(parts, stored) : []))
      : undefined,
    filter: (parts.filters ?? parts.pipes) && ((request) => applyFilters(parts, exchange, request)),
    equip:
      (parts.tools ?? parts.code) &&
      ((request) => equip(parts, exchange, offerPictures(parts, exchange, request))),
    draw:
      parts.images && features?.['image_generation']
        ? (request) => drawAhead(parts, exchange, request)
        : undefined,
    show: library && ((request) => showPictures(library, exchange, request)),
    readDocuments: library && ((request) => readDocuments(library, exchange, request)),
    inform: (request) => {
      // Not before the filters, which may have taken a feature over.
      if (turn) noteMissingFeatures(parts, turn, request.features)
      return inform(parts, exchange, request)
    },
  }
}

const voicePrompt = (
  { settings }: CompletionsParts,
  features: ChatCompletionRequest['features'],
): string =>
  features?.['voice'] && settings.boolean('ENABLE_VOICE_MODE_PROMPT')
    ? settings.string('VOICE_MODE_PROMPT_TEMPLATE')
    : ''

const spokenThread = async (
  { chats }: CompletionsParts,
  { chatId, parentId }: Turn,
): Promise<SpokenMessage[]> => (parentId === null ? [] : chats.spokenThread(chatId, parentId))

const storedThread = async (
  parts: CompletionsParts,
  turn: Turn,
): Promise<ChatCompletionRequest['messages']> =>
  runInTurns(toRequestThread(await spokenThread(parts, turn)))
