import {
  type Fields,
  NEEDLE,
  type NestedSample,
  PICTURE,
  QUESTION,
  SHOWS_NAME,
  SHOWS_PICTURE,
  fieldOf,
  kindOf,
  list,
  schema,
} from './sample.ts'

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

export const MESSAGES_SAMPLES: Record<string, NestedSample> = {
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
