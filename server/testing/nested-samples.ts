import { sealReasoning } from '../completions/dialects/responses/kept-reasoning.ts'
import { toSealedDetail } from '../providers/index.ts'

type Fields = Record<string, unknown>
export type TargetKind = 'provider' | 'runtime' | 'messages'

/** A request with one nested field or kind in it, and how an upstream shows that it came. */
export interface NestedSample {
  readonly body: Fields | ((model: string) => Fields)
  /** What the upstream's request has in it when the field came; the word itself when absent. */
  readonly shows?: RegExp | Partial<Record<TargetKind, RegExp>>
  /** What the answer has in it, for fields that are about answers. */
  readonly answers?: RegExp
  /**
   * The name under which the log says that it was left out, where it was left out in a later form.
   */
  readonly logged?: string
}

/** A word that stands nowhere else. */
export const NEEDLE = 'Wunderkammer'
const BASE64 = Buffer.from(NEEDLE).toString('base64')
const TEXT_FILE = `data:text/plain;base64,${BASE64}`
const PICTURE = { type: 'base64', media_type: 'image/png', data: BASE64 }
const SHOWS_PICTURE = { shows: new RegExp(BASE64) }
const SHOWS_NAME = { runtime: /"tool_name":"one"/ }

const QUESTION = { role: 'user', content: 'Hi' }
const schema = { type: 'object', properties: {} }
const list = (
  names: string,
  sample: (name: string) => NestedSample,
): Record<string, NestedSample> =>
  Object.fromEntries(names.split(' ').map((name) => [name, sample(name)]))
const kindOf = (name: string): string => name.slice(name.indexOf(':') + 1)
const fieldOf = (name: string): string => name.slice(name.indexOf('.') + 1)

// Chat completions

const chat = (...messages: Fields[]): NestedSample => ({
  body: { messages: [...messages, QUESTION] },
})
const said = (part: Fields): NestedSample => ({
  body: { messages: [{ role: 'user', content: [part, { type: 'text', text: 'Hi' }] }] },
})
const calling = (id: string, name: string): Fields[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: 'Done' },
]

const CHAT_SAMPLES: Record<string, NestedSample> = {
  'message.role': {
    ...chat({ role: 'developer', content: NEEDLE }),
    shows: {
      provider: new RegExp(`"role":"system","content":"${NEEDLE}"`),
      runtime: new RegExp(`"role":"system","content":"${NEEDLE}"`),
      messages: new RegExp(`"system":\\[.*${NEEDLE}`),
    },
  },
  'message.content': chat({ role: 'user', content: NEEDLE }),
  'message.tool_calls': chat(...calling('c1', NEEDLE)),
  'message.tool_call_id': { ...chat(...calling(NEEDLE, 'one')), shows: SHOWS_NAME },
  'message.function_call': chat(
    { role: 'assistant', content: null, function_call: { name: NEEDLE, arguments: '{}' } },
    { role: 'function', name: NEEDLE, content: 'Done' },
  ),
  'message.refusal': chat({ role: 'assistant', content: null, refusal: NEEDLE }),
  'message.name': chat({ role: 'user', name: NEEDLE, content: 'Hi' }),
  'message.audio': chat({ role: 'assistant', content: 'Hi', audio: { id: NEEDLE } }),
  'part:text': said({ type: 'text', text: NEEDLE }),
  'part:refusal': chat({ role: 'assistant', content: [{ type: 'refusal', refusal: NEEDLE }] }),
  'part:image_url': {
    ...said({ type: 'image_url', image_url: { url: `data:image/png;base64,${BASE64}` } }),
    ...SHOWS_PICTURE,
  },
  'part:input_audio': said({ type: 'input_audio', input_audio: { data: NEEDLE, format: 'wav' } }),
  'part:file': said({ type: 'file', file: { filename: 'a.txt', file_data: TEXT_FILE } }),
  'part.detail': {
    ...said({
      type: 'image_url',
      image_url: { url: 'data:image/png;base64,AAAA', detail: NEEDLE },
    }),
  },
  'part.prompt_cache_breakpoint': said({
    type: 'text',
    text: 'Hi',
    prompt_cache_breakpoint: { mode: NEEDLE },
  }),
  'tool:function': {
    body: {
      messages: [QUESTION],
      tools: [{ type: 'function', function: { name: NEEDLE, parameters: schema } }],
    },
  },
  'tool:custom': {
    body: { messages: [QUESTION], tools: [{ type: 'custom', custom: { name: NEEDLE } }] },
  },
}

// Messages

const turn = (...content: Fields[]): NestedSample => ({
  body: {
    max_tokens: 9,
    messages: [{ role: 'user', content: [...content, { type: 'text', text: 'Hi' }] }],
  },
})
const use = (fields: Fields, result: Fields = {}): NestedSample => {
  const call = { type: 'tool_use', id: 't1', name: 'one', input: {}, ...fields }
  const told = { type: 'tool_result', tool_use_id: call.id, content: 'Done', ...result }
  return {
    body: {
      max_tokens: 9,
      messages: [
        QUESTION,
        { role: 'assistant', content: [call] },
        { role: 'user', content: [told] },
      ],
    },
  }
}
const thought = (block: Fields): NestedSample => ({
  body: {
    max_tokens: 9,
    messages: [
      QUESTION,
      { role: 'assistant', content: [block, { type: 'text', text: 'So.' }] },
      QUESTION,
    ],
  },
})
const tool = (fields: Fields): NestedSample => ({
  body: {
    max_tokens: 9,
    messages: [QUESTION],
    tools: [{ name: 'one', input_schema: schema, ...fields }],
  },
})
const choice = (fields: Fields, shows: NestedSample['shows']): NestedSample => ({
  body: { ...(tool({}).body as Fields), tool_choice: fields },
  ...(shows && { shows }),
})
const document = (fields: Fields): NestedSample =>
  turn({
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'Words.' },
    ...fields,
  })
const SEALED = { logged: 'message.reasoning_details' }

const MESSAGES_SAMPLES: Record<string, NestedSample> = {
  'block.cache_control': turn({ type: 'text', text: 'Hi', cache_control: { type: NEEDLE } }),
  'tool.cache_control': tool({ cache_control: { type: NEEDLE } }),
  ...list('block:text block.text block.type', () => turn({ type: 'text', text: NEEDLE })),
  ...list('block:image block.source', () => ({
    ...turn({ type: 'image', source: PICTURE }),
    ...SHOWS_PICTURE,
  })),
  ...list('block:tool_use block.input', () => use({ input: { word: NEEDLE } })),
  ...list('block:tool_result block.content', () =>
    use({}, { content: [{ type: 'text', text: NEEDLE }] }),
  ),
  'block.name': use({ name: NEEDLE }),
  ...list('block.id block.tool_use_id', () => ({ ...use({ id: NEEDLE }), shows: SHOWS_NAME })),
  'block.is_error': { ...use({}, { is_error: true }), shows: /Error: ?Done/ },
  'block:document': document({ source: { type: 'text', media_type: 'text/plain', data: NEEDLE } }),
  'block:search_result': turn({
    type: 'search_result',
    title: 'T',
    source: 'S',
    content: [{ type: 'text', text: NEEDLE }],
  }),
  'block.title': document({ title: NEEDLE }),
  'block.context': document({ context: NEEDLE }),
  'block.citations': document({ citations: { enabled: NEEDLE } }),
  'block.transformations': turn({
    type: 'image',
    source: { ...PICTURE, data: 'AAAA' },
    transformations: [NEEDLE],
  }),
  ...list('block:thinking block.thinking', () =>
    thought({ type: 'thinking', thinking: NEEDLE, signature: 's' }),
  ),
  'block.signature': {
    ...thought({ type: 'thinking', thinking: 'Hm', signature: NEEDLE }),
    ...SEALED,
  },
  ...list('block:redacted_thinking block.data', () => ({
    ...thought({ type: 'redacted_thinking', data: NEEDLE }),
    ...SEALED,
  })),
  'block.caller': use({ caller: { type: NEEDLE } }),
  'block.toolset_name': use({ toolset_name: NEEDLE }),
  ...list(
    'block:server_tool_use block:web_search_tool_result block:web_fetch_tool_result block:code_execution_tool_result ' +
      'block:bash_code_execution_tool_result block:text_editor_code_execution_tool_result block:tool_search_tool_result',
    (name) =>
      thought({
        type: kindOf(name),
        id: 's1',
        tool_use_id: 's1',
        name: NEEDLE,
        input: { query: NEEDLE },
        content: [],
      }),
  ),
  ...list('block:container_upload block.file_id', () =>
    turn({ type: 'container_upload', file_id: NEEDLE }),
  ),
  ...list('tool:custom tool.type', () => tool({ type: 'custom', name: NEEDLE })),
  'tool.name': tool({ name: NEEDLE }),
  'tool.description': tool({ description: NEEDLE }),
  'tool.input_schema': tool({ input_schema: { ...schema, title: NEEDLE } }),
  'tool.strict': { ...tool({ strict: true }), shows: /"strict":true/ },
  ...list('tool.allowed_callers tool.eager_input_streaming tool.input_examples', (name) =>
    tool({ [fieldOf(name)]: [NEEDLE] }),
  ),
  'tool.defer_loading': { ...tool({ defer_loading: true }), shows: /defer_loading/ },
  ...list(
    'tool:bash_20250124 tool:code_execution_20250522 tool:code_execution_20250825 tool:code_execution_20260120 ' +
      'tool:code_execution_20260521 tool:browser_toolset_20260801 tool:memory_20250818 tool:computer_toolset_20260801 ' +
      'tool:text_editor_20250124 tool:text_editor_20250429 tool:text_editor_20250728 tool:web_search_20250305 ' +
      'tool:web_fetch_20250910 tool:web_search_20260209 tool:web_fetch_20260209 tool:web_fetch_20260309 ' +
      'tool:web_search_20260318 tool:web_fetch_20260318 tool:tool_search_tool_bm25_20251119 tool:tool_search_tool_bm25 ' +
      'tool:tool_search_tool_regex_20251119 tool:tool_search_tool_regex',
    (name) => ({
      body: { max_tokens: 9, messages: [QUESTION], tools: [{ type: kindOf(name), name: NEEDLE }] },
    }),
  ),
  'choice:auto': choice(
    { type: 'auto' },
    { provider: /"tool_choice":"auto"/, runtime: /"name":"one"/ },
  ),
  'choice:any': choice(
    { type: 'any' },
    { provider: /"tool_choice":"required"/, runtime: /"name":"one"/ },
  ),
  'choice:tool': choice(
    { type: 'tool', name: 'one' },
    { provider: /"tool_choice":\{.*"one"/, runtime: /"name":"one"/ },
  ),
  'choice:none': choice(
    { type: 'none' },
    { provider: /^(?!.*"tools")/, runtime: /^(?!.*"tools")/ },
  ),
}

// Responses

const input = (...items: Fields[]): NestedSample => ({ body: { input: [...items, QUESTION] } })
const content = (part: Fields): NestedSample => input({ role: 'user', content: [part] })
const ability = { type: 'function', name: 'one', parameters: schema }
const offer = (fields: Fields): NestedSample => ({
  body: { input: 'Hi', tools: [{ ...ability, ...fields }] },
})
const call = (type: string, given: Fields, output: Fields = {}): NestedSample =>
  input(
    { type, call_id: 'c1', id: 'c1', name: 'one', ...given },
    {
      type: type === 'tool_search_call' ? 'tool_search_output' : `${type}_output`,
      call_id: 'c1',
      id: 'c1',
      output: 'Done',
      ...output,
    },
  )
const sealedThought = (model: string): Fields => {
  const detail = toSealedDetail({ type: 'thinking', thinking: NEEDLE, signature: 's' }, 0)
  const encrypted = sealReasoning({ text: NEEDLE, details: [detail] }, model)
  const answer = { role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] }
  return {
    input: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: encrypted },
      answer,
      QUESTION,
    ],
  }
}

const RESPONSES_SAMPLES: Record<string, NestedSample> = {
  'text.format': {
    body: {
      input: 'Hi',
      text: { format: { type: 'json_schema', name: 'a', schema: { ...schema, title: NEEDLE } } },
    },
  },
  'text.verbosity': {
    body: { input: 'Hi', text: { verbosity: 'low' } },
    shows: /verbosity/,
    logged: 'verbosity',
  },
  'reasoning.effort': {
    body: { input: 'Hi', reasoning: { effort: 'low' } },
    shows: {
      provider: /"reasoning_effort":"low"/,
      runtime: /"think":"low"/,
      messages: /"thinking":\{"type":"enabled"/,
    },
  },
  ...list('reasoning.summary reasoning.generate_summary', (name) => ({
    body: { input: 'Hi', reasoning: { effort: 'low', [fieldOf(name)]: 'auto' } },
    answers: /"summary":\[\{"type":"summary_text","text":"Thinking/,
  })),
  ...list('reasoning.mode reasoning.context', (name) => ({
    body: { input: 'Hi', reasoning: { [fieldOf(name)]: NEEDLE } },
  })),
  ...list('item:message item.content item.type', () =>
    input({ type: 'message', role: 'user', content: NEEDLE }),
  ),
  'item.role': { ...input({ role: 'assistant', content: 'So.' }), shows: /"role":"assistant"/ },
  ...list('item.phase item.async item.caller item.environment item.max_output_length', (name) =>
    input({ role: 'assistant', content: 'So.', [fieldOf(name)]: NEEDLE }),
  ),
  'item.arguments': call('function_call', { arguments: JSON.stringify({ word: NEEDLE }) }),
  'item.name': call('function_call', { name: NEEDLE, arguments: '{}' }),
  'item.namespace': call('function_call', { namespace: NEEDLE, arguments: '{}' }),
  'item.call_id': {
    ...call('function_call', { call_id: NEEDLE, arguments: '{}' }, { call_id: NEEDLE }),
    shows: SHOWS_NAME,
  },
  'item.output': call('function_call', { arguments: '{}' }, { output: NEEDLE }),
  'item.input': call('custom_tool_call', { input: NEEDLE }),
  'item.action': call('shell_call', { action: { commands: [NEEDLE] } }),
  'item.operation': call('apply_patch_call', { operation: { diff: NEEDLE } }),
  'item.tools': input({
    type: 'additional_tools',
    role: 'developer',
    tools: [{ ...ability, name: NEEDLE }],
  }),
  'item.execution': {
    ...call(
      'tool_search_call',
      { execution: 'client', arguments: { query: NEEDLE } },
      { execution: 'client', tools: [] },
    ),
  },
  'item.summary': {
    ...input(
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: NEEDLE }] },
      { role: 'assistant', content: 'So.' },
    ),
    logged: 'message.reasoning_content',
  },
  'item.encrypted_content': { body: sealedThought },
  'part.detail': content({
    type: 'input_image',
    image_url: 'data:image/png;base64,AAAA',
    detail: NEEDLE,
  }),
  'part.prompt_cache_breakpoint': content({
    type: 'input_text',
    text: 'Hi',
    prompt_cache_breakpoint: { mode: NEEDLE },
  }),
  'item:function_call': call('function_call', { arguments: JSON.stringify({ word: NEEDLE }) }),
  'item:function_call_output': call('function_call', { arguments: '{}' }, { output: NEEDLE }),
  'item:custom_tool_call': call('custom_tool_call', { input: NEEDLE }),
  'item:custom_tool_call_output': call('custom_tool_call', { input: '' }, { output: NEEDLE }),
  'item:local_shell_call': call('local_shell_call', { action: { command: [NEEDLE] } }),
  'item:local_shell_call_output': call('local_shell_call', { action: {} }, { output: NEEDLE }),
  'item:shell_call': call('shell_call', { action: { commands: [NEEDLE] } }),
  'item:shell_call_output': call('shell_call', { action: {} }, { output: [{ stdout: NEEDLE }] }),
  'item:apply_patch_call': call('apply_patch_call', { operation: { diff: NEEDLE } }),
  'item:apply_patch_call_output': call('apply_patch_call', { operation: {} }, { output: NEEDLE }),
  'item:reasoning': { body: sealedThought },
  'item:tool_search_call': call(
    'tool_search_call',
    { execution: 'client', arguments: { query: NEEDLE } },
    { tools: [] },
  ),
  'item:tool_search_output': call(
    'tool_search_call',
    { execution: 'client', arguments: {} },
    { tools: [{ ...ability, name: NEEDLE }] },
  ),
  'item:additional_tools': input({
    type: 'additional_tools',
    role: 'developer',
    tools: [{ ...ability, name: NEEDLE }],
  }),
  'item:item_reference': input({ type: 'item_reference', id: NEEDLE }),
  ...list(
    'item:file_search_call item:computer_call item:computer_call_output item:web_search_call item:image_generation_call ' +
      'item:code_interpreter_call item:mcp_list_tools item:mcp_approval_request item:mcp_approval_response item:mcp_call ' +
      'item:program item:program_output item:compaction item:compaction_trigger item:configuration_update',
    (name) =>
      input({
        type: kindOf(name),
        id: 'x1',
        call_id: 'x1',
        name: NEEDLE,
        output: NEEDLE,
        encrypted_content: NEEDLE,
      }),
  ),
  'part:input_text': content({ type: 'input_text', text: NEEDLE }),
  'part:input_image': {
    ...content({ type: 'input_image', image_url: `data:image/png;base64,${BASE64}` }),
    ...SHOWS_PICTURE,
  },
  'part:input_file': content({ type: 'input_file', filename: 'a.txt', file_data: TEXT_FILE }),
  ...list('tool:function tool.name tool.type', () => offer({ name: NEEDLE })),
  'tool.parameters': offer({ parameters: { ...schema, title: NEEDLE } }),
  'tool.description': offer({ description: NEEDLE }),
  'tool.strict': { ...offer({ strict: true }), shows: /"strict":true/ },
  'tool.defer_loading': { ...offer({ defer_loading: true }), shows: /defer_loading/ },
  ...list('tool.allowed_callers tool.async tool.output_schema', (name) =>
    offer({ [fieldOf(name)]: [NEEDLE] }),
  ),
  'tool:custom': { body: { input: 'Hi', tools: [{ type: 'custom', name: NEEDLE }] } },
  'tool:namespace': {
    body: {
      input: 'Hi',
      tools: [{ type: 'namespace', name: 'space', tools: [{ ...ability, name: NEEDLE }] }],
    },
  },
  'tool:tool_search': {
    body: { input: 'Hi', tools: [{ type: 'tool_search', execution: 'client' }] },
    shows: /"tool_search"/,
  },
  ...list(
    'tool:web_search tool:web_search_2025_08_26 tool:web_search_preview tool:web_search_preview_2025_03_11 tool:file_search ' +
      'tool:computer tool:computer_use_preview tool:mcp tool:code_interpreter tool:programmatic_tool_calling ' +
      'tool:image_generation tool:local_shell tool:shell tool:apply_patch',
    (name) => ({
      body: { input: 'Hi', tools: [{ type: kindOf(name), name: NEEDLE, server_label: NEEDLE }] },
    }),
  ),
}

/** By the title of the dialect's table. */
export const NESTED_SAMPLES: Readonly<Record<string, Readonly<Record<string, NestedSample>>>> = {
  'Chat completions': CHAT_SAMPLES,
  Messages: MESSAGES_SAMPLES,
  Responses: RESPONSES_SAMPLES,
}
