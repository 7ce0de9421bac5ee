import {
  lastUserText,
  type Reply,
  type Script,
  type ScriptInput,
  type Step,
  textOf,
} from '../server/testing/fake-upstream/script.ts'
import { playScenario } from '../server/testing/fake-upstream/scenarios.ts'

const isAskedForTitle = (text: string): boolean => text.startsWith('Name the conversation below')
const isAskedForTags = (text: string): boolean => text.startsWith('Sort the conversation below')
const isAskedForFollowUps = (text: string): boolean => text.startsWith('Think of what the person')

const FOLLOW_UPS = JSON.stringify({ follow_ups: ['What comes first?', 'What comes second?'] })

/** Splits a text into pieces of one to seven characters, always the same ones. */
function toCrumbs(text: string): Step[] {
  const letters = Array.from(text)
  const steps: Step[] = []
  for (let at = 0, turn = 0; at < letters.length; turn++) {
    const size = 1 + ((turn * 5) % 7)
    steps.push({ kind: 'content', text: letters.slice(at, at + size).join('') })
    at += size
  }
  return steps
}

/** Answers with several sentences one after the other, word by word. */
function speakSlowly(count: number): Reply {
  const steps = Array.from({ length: count }, (_, index) =>
    `This is sentence number ${index + 1}. `.split(/(?<= )/).flatMap((text): Step[] => [
      { kind: 'content', text },
      { kind: 'wait', milliseconds: 60 },
    ]),
  )
  return { steps: steps.flat() }
}

/** Calls a tool that is offered, then repeats its result. */
function callOnce({ messages, body }: ScriptInput, name: string, args: string): Reply {
  const last = messages.at(-1)
  if (last?.role === 'tool') return { steps: toCrumbs(`It said: ${textOf(last.content)}`) }
  if (!JSON.stringify(body['tools'] ?? []).includes(`"${name}"`))
    return { steps: toCrumbs('I have no such tool.') }
  return { steps: [{ kind: 'tool', name, arguments: JSON.parse(args) as Record<string, unknown> }] }
}

const toFrame = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/**
 * Answers with the first half, which ends as the first word says: `limit`, `break` or `never`.
 * Asked to continue, the model writes the second half, which ends as the second word says: `end`,
 * `break`, `never` or, in small pieces, `slow`.
 */
function answerInHalves(isSecond: boolean, [first, second]: readonly string[]): Reply {
  if (isSecond) {
    const steps: Step[] = [{ kind: 'content', text: ' the second half' }]
    if (second === 'slow')
      for (let count = 1; count <= 40; count += 1)
        steps.push({ kind: 'content', text: ` word${count}` }, { kind: 'wait', milliseconds: 100 })
    if (second === 'break') steps.push({ kind: 'cut' })
    if (second === 'never') steps.push({ kind: 'stall' })
    return { steps }
  }
  const half = 'The first half,'
  if (first === 'limit')
    return {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: `${toFrame({ content: half }, null)}${toFrame({}, 'length')}data: [DONE]\n\n`,
    }
  const ending: Step = first === 'break' ? { kind: 'cut' } : { kind: 'stall' }
  return { steps: [{ kind: 'content', text: half }, ending] }
}

/** A model with a small context: it refuses conversations with more messages than the limit. */
function readAtMost(most: number, { messages }: ScriptInput): Reply {
  const count = messages.filter(({ role }) => role !== 'system').length
  if (count <= most) return { steps: toCrumbs(`I have read ${count} messages.`) }
  const message = `This model's maximum context length is ${most} messages.`
  const error = { message, type: 'invalid_request_error', code: 'context_length_exceeded' }
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error }),
  }
}

/** Matches a message in a channel: the author's name and mentions precede the text. */
const IN_CHANNEL = /^[^:\n/]+: [^/]*@[^/]*(\/.*)$/s

/** Returns the same conversation with another last question. */
function askedInstead(input: ScriptInput, text: string): ScriptInput {
  const last = input.messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...input,
    messages: input.messages.map((message, index) =>
      index === last ? { ...message, content: text } : message,
    ),
  }
}

/**
 * The scenarios of the scripted provider, with additions for browser tests: chats get no title from
 * the model, so that they keep that of their first message, and no tags; a question with sources is
 * answered with the number of the first one; follow-up questions are suggested only if "suggest
 * follow-ups" was the last message; a model that called a tool (`/tools`) says so once it has
 * answered; `/crumbs text` returns the text in pieces of a few characters; `/call name {…}` calls a
 * tool and repeats its result; `/halves how how` gives an answer that has to be continued; `/frames
 * bytes` sends the bytes unchanged; and `/atmost number` refuses conversations with more messages.
 * In a channel the command follows the names.
 */
export const playDialogue: Script = (input) => {
  const text = lastUserText(input)
  if (isAskedForTitle(text) || isAskedForTags(text)) return { steps: [] }
  if (isAskedForFollowUps(text)) {
    return {
      steps: text.includes('suggest follow-ups') ? [{ kind: 'content', text: FOLLOW_UPS }] : [],
    }
  }
  const inChannel = IN_CHANNEL.exec(text)?.[1]
  if (inChannel) return playDialogue(askedInstead(input, inChannel))
  const call = /^\/call (\S+) (.+)$/s.exec(text)
  if (call) return callOnce(input, call[1]!, call[2]!)
  const isGoingOn = text.startsWith('Your last message was cut off')
  const asked = isGoingOn
    ? textOf(
        input.messages.findLast(
          ({ role }, index) => role === 'user' && index < input.messages.length - 1,
        )?.content,
      )
    : text
  const halves = /^\/halves (\w+) (\w+)$/.exec(asked)
  if (halves) return answerInHalves(isGoingOn, halves.slice(1))
  if (input.messages.at(-1)?.role === 'tool') return { steps: toCrumbs('The tool has answered.') }
  if (text.includes('<source id="1"'))
    return { steps: toCrumbs('The document says so [1]. Nothing else does [9].') }
  if (text.startsWith('/sentences ')) return speakSlowly(Number(text.slice('/sentences '.length)))
  if (text.startsWith('/crumbs ')) return { steps: toCrumbs(text.slice('/crumbs '.length)) }
  if (text.startsWith('/atmost ')) return readAtMost(Number(text.slice('/atmost '.length)), input)
  if (text.startsWith('/frames ')) {
    const bytes = `${text.slice('/frames '.length)}\n\n`
    return {
      steps: [
        { kind: 'raw', bytes },
        { kind: 'content', text: 'after the frames' },
      ],
    }
  }
  return playScenario(input)
}
