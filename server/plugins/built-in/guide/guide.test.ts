import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatCompletionChunkSchema, chatCompletionSchema } from '#contract/completions.ts'
import type { CompletionCall, OfferedModel } from '../../../providers/index.ts'
import { createTestOrigin } from '../../../testing/create-test-origin.ts'
import { startTestServer, type TestServer } from '../../../testing/start-server.ts'

let server: TestServer
let offered: OfferedModel
beforeAll(async () => {
  server = await startTestServer()
  offered = server.context.providers.findCached('guide')!
})
afterAll(() => server.close())

const origin = createTestOrigin()
const guide = {
  complete: (call: CompletionCall) => offered.provider.complete({ ...call, origin }),
  stream: (call: CompletionCall) => offered.provider.stream({ ...call, origin }),
}
const bodyOf = (content: string) => ({ messages: [{ role: 'user', content }] })
const never = new AbortController().signal

async function ask(question: string): Promise<string> {
  const answer = await guide.complete({ model: 'guide', body: bodyOf(question), signal: never })
  expect(chatCompletionSchema.safeParse(answer).success).toBe(true)
  return answer.choices[0]?.message.content ?? ''
}

describe('the guide', () => {
  it('says in its name and in every answer that it is not an AI', async () => {
    expect(offered.model.name).toBe('Guide (not an AI)')
    for (const question of ['hello', 'connect', 'key', 'privacy', 'shortcuts', 'api'])
      expect(await ask(question)).toContain('not an AI')
  })

  it('shows headings, lists, a table and code', async () => {
    expect(await ask('hello')).toMatch(/^# .*[\s\S]*\n- |\n1\. /)
    expect(await ask('hello')).toContain('|---|')
    expect(await ask('connect')).toContain('```sh')
  })

  it.each([
    ['How do I connect a runtime?', '# Connecting a model'],
    ['where is my key', '# Keys'],
    ['Is this private?', '# Privacy'],
    ['keyboard shortcuts', '# Keyboard'],
    ['curl example for the API', '# Calling the gateway'],
  ])('answers "%s" with %s', async (question, heading) => {
    expect(await ask(question)).toContain(heading)
  })

  it('streams small pieces that add up to the answer', async () => {
    const pieces: string[] = []
    for await (const frame of guide.stream({
      model: 'guide',
      body: bodyOf('privacy'),
      signal: never,
    })) {
      expect(chatCompletionChunkSchema.safeParse(frame).success).toBe(true)
      if ('choices' in frame) pieces.push(frame.choices[0]?.delta.content ?? '')
    }
    expect(pieces.join('')).toBe(await ask('privacy'))
    expect(pieces.length).toBeGreaterThan(20)
  })

  it('stops at once when the caller aborts', async () => {
    const controller = new AbortController()
    let count = 0
    for await (const _ of guide.stream({
      model: 'guide',
      body: bodyOf('hello'),
      signal: controller.signal,
    })) {
      count += 1
      if (count === 3) controller.abort()
    }
    expect(count).toBe(3)
  })
})
