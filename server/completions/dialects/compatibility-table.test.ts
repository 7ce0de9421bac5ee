import { describe, expect, test } from 'vitest'
import type { FieldRules } from '../../lib/serving/call-notes.ts'
import { toMessagesRequest } from '../../providers/messages/convert-request.ts'
import { MESSAGES_RULES } from '../../providers/messages/field-rules.ts'
import { RUNTIME_RULES } from '../../providers/runtime/field-rules.ts'
import { toRuntimeRequest } from '../../providers/runtime/convert-request.ts'
import { readTable, type TableRow } from '../../testing/compatibility-table.ts'
import { PublishedTypes } from '../../testing/published-types.ts'
import { toChatRequest as fromMessages } from './messages/convert-request.ts'
import { MESSAGES_DIALECT_RULES } from './messages/note-request.ts'
import { RESPONSES_RULES } from './responses/note-request.ts'
import { toChatRequest as fromResponses } from './responses/convert-request.ts'
import type { Fields } from '../../lib/is-record.ts'

const VERDICT = /^(sent|translated|refused|ignored: \S.*)/

const completions = new PublishedTypes('openai', 'resources/chat/completions/completions.d.ts')
const responses = new PublishedTypes('openai', 'resources/responses/responses.d.ts')
const shared = new PublishedTypes('openai', 'resources/shared.d.ts')
const embeddings = new PublishedTypes('openai', 'resources/embeddings.d.ts')
const messages = new PublishedTypes('@anthropic-ai/sdk', 'resources/messages/messages.d.ts')

const named = (prefix: string, names: readonly string[]): string[] =>
  names.map((name) => prefix + name)
const fieldsOf = (types: PublishedTypes, union: string): string[] =>
  types.members(union).flatMap((name) => types.fields(name))

/** Items that are more than a result of the vendor's own tools. */
const RESPONSE_ITEMS = [
  'EasyInputMessage',
  'ResponseOutputMessage',
  'ResponseFunctionToolCall',
  'ResponseInputItem.FunctionCallOutput',
  'ResponseCustomToolCall',
  'ResponseCustomToolCallOutput',
  'ResponseReasoningItem',
  'ResponseInputItem.ToolSearchCall',
  'ResponseToolSearchOutputItemParam',
  'ResponseInputItem.AdditionalTools',
  'ResponseInputItem.LocalShellCall',
  'ResponseInputItem.ShellCall',
  'ResponseInputItem.ShellCallOutput',
  'ResponseInputItem.ApplyPatchCall',
  'ResponseInputItem.ApplyPatchCallOutput',
]
/** Identifiers that an item's author assigns; they change nothing. */
const NAMES_ITSELF = new Set(['id', 'status'])

/** Fields that clients may send, and those they send in addition to the published types. */
const SENDABLE = {
  'Chat completions': [
    ...completions.fields('ChatCompletionCreateParamsBase'),
    ...named('message.', fieldsOf(completions, 'ChatCompletionMessageParam')),
    ...named('part:', completions.kinds('ChatCompletionContentPart')),
    ...named('part:', completions.kinds('ChatCompletionContentPartRefusal')),
    ...named('part.', [
      ...completions.fields('ChatCompletionContentPartText'),
      ...completions.fields('ChatCompletionContentPartImage.ImageURL'),
    ]).filter((name) => name === 'part.detail' || name === 'part.prompt_cache_breakpoint'),
    ...named('tool:', completions.kinds('ChatCompletionTool')),
    'top_k',
    'repetition_penalty',
    'thinking',
  ],
  Messages: [
    ...messages.fields('MessageCreateParamsBase'),
    ...named('block:', messages.kinds('ContentBlockParam')),
    ...named('block.', fieldsOf(messages, 'ContentBlockParam')),
    ...named('tool:', messages.kinds('ToolUnion')),
    ...named('tool.', messages.fields('Tool')),
    ...named('choice:', messages.kinds('ToolChoice')),
    'temperature',
    'top_p',
    'top_k',
    'context_management',
    'mcp_servers',
    'thread',
  ],
  Responses: [
    ...responses.fields('ResponseCreateParamsBase'),
    ...named('text.', responses.fields('ResponseTextConfig')),
    ...named('reasoning.', shared.fields('Reasoning')),
    ...named('item:', responses.kinds('ResponseInputItem')),
    ...named(
      'item.',
      RESPONSE_ITEMS.flatMap((name) => responses.fields(name)).filter(
        (name) => !NAMES_ITSELF.has(name),
      ),
    ),
    ...named(
      'part.',
      fieldsOf(responses, 'ResponseInputContent').filter(
        (name) => name === 'detail' || name === 'prompt_cache_breakpoint',
      ),
    ),
    ...named('part:', responses.kinds('ResponseInputContent')),
    ...named('tool:', responses.kinds('Tool')),
    ...named('tool.', responses.fields('FunctionTool')),
    'client_metadata',
  ],
  Embeddings: embeddings.fields('EmbeddingCreateParams'),
}

describe.each(Object.entries(SENDABLE))('The table of the %s dialect', (title, sendable) => {
  const rows = readTable(title)

  test('decides about every field and kind of the published types, and about nothing else', () => {
    const listed = rows.flatMap(({ names }) => names.map((name) => name.trim()))
    expect(sendable.length).toBeGreaterThan(title === 'Embeddings' ? 4 : 30)
    expect(listed.toSorted()).toEqual([...new Set(sendable)].toSorted())
  })

  test('says for each kind of connection what becomes of it, and why where it is ignored', () => {
    for (const { names, verdicts } of rows) {
      expect(verdicts, names.join()).toHaveLength(3)
      for (const verdict of verdicts) expect(verdict, names.join()).toMatch(VERDICT)
    }
  })
})

const PROVIDER = 0
const RUNTIME = 1
const NATIVE = 2

const question = [{ role: 'user', content: 'Hi' }]
const ability = { name: 'one', parameters: { type: 'object' } }
const schema = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } }

/** A value for each optional field of a request; a new field has to be added here too. */
const COMPLETIONS_VALUES: Fields = {
  temperature: 0.5,
  top_p: 0.5,
  top_k: 5,
  max_tokens: 5,
  max_completion_tokens: 5,
  seed: 1,
  n: 2,
  stop: 'x',
  frequency_penalty: 1,
  presence_penalty: 1,
  repetition_penalty: 1,
  logit_bias: { 5: 1 },
  logprobs: true,
  top_logprobs: 1,
  tools: [{ type: 'function', function: { ...ability, name: 'two' } }],
  tool_choice: 'none',
  parallel_tool_calls: false,
  reasoning_effort: 'low',
  response_format: schema,
  modalities: ['text', 'audio'],
  audio: { voice: 'a' },
  user: 'u',
  safety_identifier: 's',
  service_tier: 'auto',
  metadata: { a: 'b' },
  store: true,
  moderation: {},
  verbosity: 'low',
  prompt_cache_key: 'k',
  prompt_cache_options: {},
  prompt_cache_retention: '24h',
  prediction: {},
  web_search_options: {},
  functions: [ability],
  function_call: 'none',
  thinking: { type: 'enabled', budget_tokens: 2000 },
}
const RESPONSES_VALUES: Fields = {
  instructions: 'i',
  stream: true,
  temperature: 0.5,
  top_p: 0.5,
  max_output_tokens: 5,
  parallel_tool_calls: false,
  user: 'u',
  tools: [{ type: 'function', name: 'two' }],
  tool_choice: 'none',
  safety_identifier: 's',
  service_tier: 'auto',
  prompt_cache_key: 'k',
  text: { verbosity: 'low' },
  reasoning: { effort: 'low' },
  store: true,
  metadata: { a: 'b' },
  truncation: 'auto',
  context_management: [],
  max_tool_calls: 1,
  top_logprobs: 1,
  stream_options: {},
  image: {},
  prompt_cache_options: {},
  prompt_cache_retention: '24h',
  access_programs: {},
  moderation: {},
  client_metadata: {},
  background: true,
  conversation: 'c',
  previous_response_id: 'r',
  prompt: { id: 'p' },
}
const MESSAGES_VALUES: Fields = {
  stream: true,
  system: 'Be brief.',
  max_tokens: 5,
  stop_sequences: ['x'],
  temperature: 0.5,
  top_p: 0.5,
  top_k: 5,
  tools: [{ name: 'two', input_schema: {} }],
  tool_choice: { type: 'any' },
  thinking: { type: 'enabled', budget_tokens: 2000 },
  output_config: { effort: 'low' },
  metadata: { user_id: 'u' },
  service_tier: 'auto',
  cache_control: { type: 'ephemeral' },
  container: 'c',
  diagnostics: {},
  inference_geo: 'us',
  speed: 'fast',
  user_profile_id: 'u',
  workspace_id: 'w',
  context_management: {},
}

/** Returns the effect of the code on a field, as the first word of a verdict. */
function tryField(
  convert: (request: Fields) => unknown,
  base: Fields,
  [name, value]: [string, unknown],
): 'kept' | 'ignored' | 'refused' {
  const plain =
    name === 'functions' || name === 'function_call'
      ? { messages: question, ...(name === 'function_call' && { functions: [ability] }) }
      : base
  try {
    const sent = JSON.stringify(convert({ ...plain, [name]: value }))
    return sent === JSON.stringify(convert(plain)) ? 'ignored' : 'kept'
  } catch {
    return 'refused'
  }
}

const chatBase = { messages: question, tools: [{ type: 'function', function: ability }] }
const responsesBase = { model: 'm', input: 'Hi', tools: [{ type: 'function', ...ability }] }
const messagesBase = { model: 'm', messages: question, tools: [{ name: 'one', input_schema: {} }] }

const COLUMNS = [
  {
    title: 'Chat completions',
    column: RUNTIME,
    values: COMPLETIONS_VALUES,
    base: chatBase,
    convert: (body: Fields) => toRuntimeRequest(body, 'm'),
  },
  {
    title: 'Chat completions',
    column: NATIVE,
    values: COMPLETIONS_VALUES,
    base: chatBase,
    convert: (body: Fields) => toMessagesRequest(body, 'm', false),
  },
  {
    title: 'Responses',
    column: PROVIDER,
    values: RESPONSES_VALUES,
    base: responsesBase,
    convert: (body: Fields) => fromResponses(body as never, { canReason: true }),
  },
  {
    title: 'Messages',
    column: PROVIDER,
    values: MESSAGES_VALUES,
    base: messagesBase,
    convert: (body: Fields) => fromMessages(body as never, { canReason: true }),
  },
]

describe.each(COLUMNS)(
  'The table of the $title dialect, column $column',
  ({ title, column, values, base, convert }) => {
    const rows = readTable(title)

    test.each(Object.entries(values))('is right about %s', (...field) => {
      const verdict = rows.find(({ names }) => names.includes(field[0]))?.verdicts[column] ?? ''
      const word = /^\w+/.exec(verdict)?.[0]
      expect(tryField(convert, base, field)).toBe(
        word === 'sent' || word === 'translated' ? 'kept' : word,
      )
    })
  },
)

const RULES = [
  { title: 'Chat completions', column: RUNTIME, rules: RUNTIME_RULES },
  { title: 'Chat completions', column: NATIVE, rules: MESSAGES_RULES },
  { title: 'Messages', column: PROVIDER, rules: MESSAGES_DIALECT_RULES },
  { title: 'Responses', column: PROVIDER, rules: RESPONSES_RULES },
]

describe.each(RULES)(
  'What the log says of the $title dialect, column $column',
  ({ title, column, rules }) => {
    test('is what the table says of each field', () => {
      const isRefusedWhole = ({ verdicts }: TableRow) =>
        verdicts[column] === 'refused: nothing is stored'
      const rows = readTable(title).filter((row) => !isRefusedWhole(row))
      const fields = rows.flatMap(({ names, verdicts }) =>
        names.filter((name) => /^\w+$/.test(name)).map((name) => [name, verdicts[column]!]),
      )
      expect(fields.length).toBeGreaterThan(15)
      const told = fields.map(([name]) => [
        name,
        Object.hasOwn(rules.ignored, name!)
          ? 'ignored'
          : isKnown(rules, name!)
            ? 'came'
            : 'unknown',
      ])
      expect(told).toEqual(
        fields.map(([name, verdict]) => [
          name,
          verdict!.startsWith('ignored') ? 'ignored' : 'came',
        ]),
      )
    })
  },
)

const isKnown = ({ sent, translated }: FieldRules, name: string): boolean =>
  sent.has(name) || translated.has(name)
