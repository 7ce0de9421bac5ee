import type { GenerationKind } from '#contract/generation.ts'
import type { SettingName, Settings } from '../../settings/index.ts'
import type { TaskName } from './ask-task-model.ts'
import { DEFAULT_TITLE } from '../message-text.ts'
import { readField, readList, withoutReasoning } from './read-json.ts'
import { parseTitle } from './read-title.ts'

type TemplateName = Extract<SettingName, `${string}_PROMPT_TEMPLATE`>

/** Input of a generated text, for kinds that fall back on it. */
export interface GenerationSource {
  /** Last question of the conversation, or the prompt. */
  readonly question: string
}

/** One kind of text that a model writes alongside an answer. */
export interface KindDefinition {
  /** Task name passed to pipes. */
  readonly task: TaskName
  readonly template: (settings: Settings<TemplateName>) => string
  /** Returns the setting that switches it off; `type` distinguishes web search from retrieval. */
  readonly switchKey?: (type?: string | null) => `ENABLE_${string}_GENERATION` & SettingName
  /** Scripts expect 200 with a detail for some kinds that are switched off, and 400 for others. */
  readonly refusesWhenOff?: true
  /** Returns the text of the completion: a JSON object with one field, or plain text. */
  readonly toText: (said: string, source: GenerationSource) => string
}

const EMOJI_PROMPT = `Answer with one emoji that fits the mood or the subject of this text, and with nothing else.

Text:
{{prompt}}`

const MERGE_PROMPT = `Several models answered the request below. Write the one answer that is better than each of them: keep what is right and
useful, correct what is wrong, leave out what repeats, and do not mention that there were several.

Request:
{{prompt}}

{{responses}}`

const EMOJI =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]*(?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]*)*/u
const NO_TOPIC = 'General'

const fromSetting =
  <Name extends TemplateName>(key: Name) =>
  (settings: Settings<Name>) =>
    settings.get(key)
const toJson = (field: string, value: unknown): string => JSON.stringify({ [field]: value })

/** Returns the field of a JSON object, or the model's whole text if it contains no such object. */
function readText(said: string, field: string): string {
  const text = withoutReasoning(said)
  const named = readField(text, field)
  if (typeof named === 'string') return named
  return named === undefined && !text.startsWith('{') ? text : ''
}

export const KINDS: Readonly<Record<GenerationKind, KindDefinition>> = {
  title: {
    task: 'title_generation',
    template: fromSetting('TITLE_GENERATION_PROMPT_TEMPLATE'),
    switchKey: () => 'ENABLE_TITLE_GENERATION',
    toText: (said) => toJson('title', parseTitle(said) ?? DEFAULT_TITLE),
  },
  tags: {
    task: 'tags_generation',
    template: fromSetting('TAGS_GENERATION_PROMPT_TEMPLATE'),
    switchKey: () => 'ENABLE_TAGS_GENERATION',
    toText: (said) => toJson('tags', readTags(said)),
  },
  follow_up: {
    task: 'follow_up_generation',
    template: fromSetting('FOLLOW_UP_GENERATION_PROMPT_TEMPLATE'),
    switchKey: () => 'ENABLE_FOLLOW_UP_GENERATION',
    toText: (said) => toJson('follow_ups', readFollowUps(said)),
  },
  queries: {
    task: 'query_generation',
    template: fromSetting('QUERY_GENERATION_PROMPT_TEMPLATE'),
    switchKey: (type) =>
      type === 'retrieval' ? 'ENABLE_RETRIEVAL_QUERY_GENERATION' : 'ENABLE_SEARCH_QUERY_GENERATION',
    refusesWhenOff: true,
    toText: (said, { question }) => toJson('queries', readQueries(said, question)),
  },
  image_prompt: {
    task: 'image_prompt_generation',
    template: fromSetting('IMAGE_PROMPT_GENERATION_PROMPT_TEMPLATE'),
    toText: (said, { question }) => toJson('prompt', readText(said, 'prompt') || question),
  },
  auto: {
    task: 'autocomplete_generation',
    template: fromSetting('AUTOCOMPLETE_GENERATION_PROMPT_TEMPLATE'),
    switchKey: () => 'ENABLE_AUTOCOMPLETE_GENERATION',
    refusesWhenOff: true,
    toText: (said) => toJson('text', readText(said, 'text')),
  },
  emoji: {
    task: 'emoji_generation',
    template: () => EMOJI_PROMPT,
    toText: (said) => EMOJI.exec(withoutReasoning(said))?.[0] ?? '',
  },
  moa: { task: 'moa_response_generation', template: () => MERGE_PROMPT, toText: (said) => said },
}

/** Returns the topics of a conversation; the general topic if the model named none. */
export function readTags(said: string): string[] {
  const tags = readList(withoutReasoning(said), 'tags').slice(0, 6)
  return tags.length === 0 ? [NO_TOPIC] : tags
}

export const readFollowUps = (said: string): string[] =>
  readList(withoutReasoning(said), 'follow_ups').slice(0, 5)

/**
 * Returns the search queries. An empty list means that no search is needed; if the model returns no
 * list, the question itself is the query.
 */
export function readQueries(said: string, question: string): string[] {
  const text = withoutReasoning(said)
  const queries = readList(text, 'queries').slice(0, 3)
  const isDecided = queries.length > 0 || Array.isArray(readField(text, 'queries'))
  return isDecided || question === '' ? queries : [question.slice(0, 500)]
}
