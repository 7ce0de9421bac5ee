import { sealReasoning } from '../../completions/dialects/responses/kept-reasoning.ts'
import { toSealedDetail } from '../../providers/index.ts'
import {
  BASE64,
  type Fields,
  NEEDLE,
  type NestedSample,
  QUESTION,
  SHOWS_NAME,
  SHOWS_PICTURE,
  TEXT_FILE,
  fieldOf,
  kindOf,
  list,
  schema,
} from './sample.ts'

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

export const RESPONSES_SAMPLES: Record<string, NestedSample> = {
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
