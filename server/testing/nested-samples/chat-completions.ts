import {
  BASE64,
  type Fields,
  NEEDLE,
  type NestedSample,
  QUESTION,
  SHOWS_NAME,
  SHOWS_PICTURE,
  TEXT_FILE,
  schema,
} from './sample.ts'

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

export const CHAT_SAMPLES: Record<string, NestedSample> = {
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
