import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../models/index.ts'
import type { CompletionsParts } from './index.ts'
import { isRecord } from '../lib/is-record.ts'
import { DEFAULT_TITLE, textOf, toOneLine, toShortTitle } from './message-text.ts'
import type { Turn } from './open-turn.ts'

interface TitleOptions {
  readonly turn: Turn
  readonly caller: Caller
  readonly resolved: ResolvedModel
}

const TITLE_TIMEOUT_MS = 60_000
const MAX_TITLE_TOKENS = 1000
const MAX_EXCERPT_LENGTH = 4000

/** Names a chat after its first question and answer; the beginning of the question serves when no model can. */
export async function generateTitle(parts: CompletionsParts, options: TitleOptions): Promise<void> {
  const { chats, events, log } = parts
  const { turn } = options
  try {
    const exchange = firstExchange(parts, turn)
    if (!exchange) return
    const fallback = toShortTitle(exchange.question)
    const before = chats.title(turn.chatId)
    if (!isUnnamed(before, exchange.question)) return
    const title = (await askForTitle(parts, options, exchange)) ?? fallback
    // Meanwhile somebody may have named or deleted the chat.
    if (chats.ownerOf(turn.chatId) !== turn.userId || chats.title(turn.chatId) !== before || title === before) return
    chats.setTitle(turn.chatId, title)
    events.emit(turn.userId, { chat_id: turn.chatId, message_id: null, data: { type: 'chat:title', data: { title } } })
  } catch (error) {
    log.warn({ error, chat_id: turn.chatId }, 'a chat could not be named')
  }
}

interface Exchange {
  readonly question: string
  readonly answer: string
}

/** The only question of a chat with its answer; null as soon as there are more. */
function firstExchange({ chats }: CompletionsParts, { chatId, messageId }: Turn): Exchange | null {
  const thread = chats.thread(chatId, messageId).filter(({ role }) => role !== 'system')
  const [question, answer] = thread
  if (thread.length !== 2 || question?.role !== 'user' || !answer) return null
  return { question: textOf(question.content), answer: textOf(answer.content) }
}

/** Until somebody names it, a chat is called after the beginning of its question, cut at a length the window chose. */
function isUnnamed(title: string, question: string): boolean {
  const stem = toOneLine(title)
    .replace(/(…|\.\.\.)$/, '')
    .trimEnd()
  return title === DEFAULT_TITLE || toOneLine(question).startsWith(stem)
}

async function askForTitle(parts: CompletionsParts, options: TitleOptions, exchange: Exchange): Promise<string | null> {
  const { settings, log, closing } = parts
  if (!settings.boolean('ENABLE_TITLE_GENERATION')) return null
  const { provider, model } = await chooseTitleModel(parts, options)
  if (provider.kind === 'guide') return null
  const prompt = fillTemplate(settings.string('TITLE_GENERATION_PROMPT_TEMPLATE'), exchange)
  try {
    const completion = await provider.complete({
      model: model.id,
      body: { model: model.id, messages: [{ role: 'user', content: prompt }], max_tokens: MAX_TITLE_TOKENS, stream: false },
      signal: AbortSignal.any([AbortSignal.timeout(TITLE_TIMEOUT_MS), closing]),
    })
    return parseTitle(completion.choices[0]?.message.content ?? '')
  } catch (error) {
    log.info({ error, chat_id: options.turn.chatId }, 'the model gave no title')
    return null
  }
}

async function chooseTitleModel({ models, settings }: CompletionsParts, { caller, resolved }: TitleOptions): Promise<ResolvedModel> {
  const id = settings.string(resolved.provider.type === 'local' ? 'TASK_MODEL' : 'TASK_MODEL_EXTERNAL')
  if (id === '') return resolved
  try {
    return await models.resolve(caller, id)
  } catch {
    // A task model that is gone is no reason to leave the chat unnamed.
    return resolved
  }
}

function fillTemplate(template: string, { question, answer }: Exchange): string {
  const excerpt = `USER: ${question.slice(0, MAX_EXCERPT_LENGTH)}\nASSISTANT: ${answer.slice(0, MAX_EXCERPT_LENGTH)}`
  const filled = template.replace(/\{\{MESSAGES(:[A-Z]+:\d+)?\}\}/g, () => excerpt)
  return filled === template ? `${template}\n\n${excerpt}` : filled
}

/** Reads a title out of what a model said: the JSON it was asked for, or its first line of plain text. */
export function parseTitle(text: string): string | null {
  const said = text.replace(/^\s*<(\w+)>[\s\S]*?<\/\1>/, '').trim()
  const title = (titleInJson(said) ?? firstLine(said)).replace(LEADING_DECORATION, '').replace(TRAILING_DECORATION, '')
  return title === '' ? null : toShortTitle(title)
}

const LEADING_DECORATION = /^[\s#*"'`“„«]*(title:)?[\s*"'`“„«]*/i
const TRAILING_DECORATION = /[\s*"'`”“»]+$/

function titleInJson(said: string): string | null {
  const json = /\{[^{}]*\}/.exec(said)
  if (!json) return said.startsWith('{') ? '' : null
  try {
    const value: unknown = JSON.parse(json[0])
    return isRecord(value) && typeof value['title'] === 'string' ? value['title'] : ''
  } catch {
    return ''
  }
}

const firstLine = (said: string): string => said.split('\n').find((line) => line.trim() !== '' && !line.startsWith('```')) ?? ''
