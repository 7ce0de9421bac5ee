import {
  lastUserText,
  type Reply,
  type Script,
  type ScriptInput,
  type Step,
  toPieces,
} from './script.ts'

const HELLO =
  'Hello from the scripted model. It answers the same way every time: one sentence, two sentences.'

const MARKDOWN = `# Heading

A paragraph with **bold**, *italic* and \`code\`.

- first
- second

| Column | Value |
|---|---|
| a | 1 |

\`\`\`ts
const answer = 42
\`\`\`

$$e^{i\\pi} + 1 = 0$$
`

const usage: Step = { kind: 'usage', prompt: 11, completion: 7 }

function paced(text: string, milliseconds: number): Step[] {
  return toPieces(text).flatMap((step) => [step, { kind: 'wait', milliseconds } as const])
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ')

const ERROR_MESSAGES: Record<number, string> = {
  400: 'The parameter "temperature" must be at most 2.',
  401: 'Incorrect key provided: sk-canary-0123456789abcdef.',
  404: 'The model does not exist.',
  413: 'The prompt is too large.',
  422: 'The field "messages" is invalid.',
  429: 'Too many requests, slow down.',
}

function errorReply(status: number, headers: Record<string, string> = {}): Reply {
  const message = ERROR_MESSAGES[status] ?? 'The server has a problem.'
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }),
  }
}

function imageOf(input: ScriptInput): string {
  const message = input.messages.findLast((candidate) => candidate.role === 'user')
  if (Array.isArray(message?.images)) return String(message.images[0]).slice(0, 24)
  const parts = Array.isArray(message?.content)
    ? (message.content as { image_url?: { url?: string } }[])
    : []
  return (parts.find((part) => part.image_url)?.image_url?.url ?? 'no image').slice(0, 48)
}

type Scenario = (input: ScriptInput, argument: string) => Reply

/**
 * Scenarios of a fake upstream, by name. The argument follows the name in the message, such as
 * `/error 503`.
 */
const scenarios: Record<string, Scenario> = {
  text: () => ({ steps: [...toPieces(HELLO), usage] }),
  echo: (input) => ({ steps: [...toPieces(lastUserText(input)), usage] }),
  markdown: () => ({ steps: [...toPieces(MARKDOWN), usage] }),
  long: (_, argument) => ({ steps: [...toPieces(numbered(Number(argument) || 2000)), usage] }),
  slow: (_, argument) => ({ steps: [...paced(numbered(Number(argument) || 200), 50), usage] }),
  reasoning: () => ({
    steps: [
      { kind: 'reasoning', text: 'First I look at ' },
      { kind: 'reasoning', text: 'the question.' },
      { kind: 'content', text: 'Then I ' },
      { kind: 'content', text: 'answer it.' },
      usage,
    ],
  }),
  tools: () => ({
    steps: [{ kind: 'tool', name: 'get_weather', arguments: { city: 'Örebro', days: 2 } }, usage],
  }),
  image: (input) => ({ steps: [...toPieces(`Image: ${imageOf(input)}`), usage] }),
  error: (_, argument) => errorReply(Number(argument) || 500),
  busy: (_, argument) => errorReply(429, { 'retry-after': argument || '7' }),
  html: (_, argument) => ({
    status: Number(argument) || 502,
    headers: { 'content-type': 'text/html' },
    body: '<html><body><h1>Bad gateway at 10.1.2.3</h1></body></html>',
  }),
  redirect: (_, argument) => ({
    status: 302,
    headers: { location: argument || 'https://elsewhere.invalid/' },
    body: '',
  }),
  failing: () => ({
    steps: [...toPieces('Partial text before'), { kind: 'error', message: 'The model crashed.' }],
  }),
  cut: () => ({ steps: [...toPieces('Partial text before'), { kind: 'cut' }] }),
  noisy: () => ({
    steps: [
      { kind: 'content', text: 'Before ' },
      { kind: 'raw', bytes: ': a comment\r\n\r\nevent: noise\ndata: ping\n\ndata: 17\n\n' },
      { kind: 'content', text: 'after.' },
      usage,
    ],
  }),
  broken: () => ({
    steps: [
      { kind: 'content', text: 'Before ' },
      { kind: 'raw', bytes: '{"cut": \n\ndata: {"cut": \n\n' },
      { kind: 'content', text: 'after.' },
      usage,
    ],
  }),
  stall: () => ({ steps: [{ kind: 'content', text: 'Waiting' }, { kind: 'stall' }] }),
  silent: () => ({ steps: [{ kind: 'stall' }] }),
}

export const SCENARIO_NAMES: readonly string[] = Object.freeze(Object.keys(scenarios))

/**
 * Default script of the fakes. A user message `/name argument` selects a scenario for one answer;
 * else the model id does (`slow`, `error-503`); else the answer is `text`.
 */
export const playScenario: Script = async (input) => {
  const command = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(lastUserText(input).trim())
  const chosen =
    command && Object.hasOwn(scenarios, command[1]!)
      ? command
      : /^([a-z]+)(?:-(.+))?$/.exec(input.model)
  const name = chosen?.[1] ?? 'text'
  const scenario = Object.hasOwn(scenarios, name) ? scenarios[name]! : scenarios['text']!
  return scenario(input, (chosen?.[2] ?? '').trim())
}
