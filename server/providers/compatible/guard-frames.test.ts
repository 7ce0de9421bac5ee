import { expect, it } from 'vitest'
import { createFrameGuard } from './guard-frames.ts'

const PICTURE = 'A'.repeat(400_000)
const event = (delta: string, finish = 'null'): string =>
  `data: {"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`
const picture = (text: string, finish?: string): string =>
  event(`{"images":[{"image_url":{"url":"data:image/png;base64,${text}"}}]}`, finish)

/** Returns the output for a stream that arrives in pieces of this many bytes. */
function pass(stream: string, size: number) {
  const guard = createFrameGuard()
  const bytes = Buffer.from(stream)
  const passed: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size)
    passed.push(guard.push(bytes.subarray(at, at + size)))
  return { guard, text: Buffer.concat([...passed, guard.end()]).toString() }
}

it.each([65_536, 20_000, 1_000_000, 777])(
  'an event with a picture passes as it came, in pieces of %d bytes, and its end counts',
  (size) => {
    const stream = event('{"content":"Here:"}') + picture(PICTURE) + picture(PICTURE, '"stop"')
    const { guard, text } = pass(stream, size)
    expect(text === stream).toBe(true)
    expect([guard.isComplete(), guard.isBroken()]).toEqual([true, false])
  },
)

it('an event with a picture that is no JSON, or says an error, is no answer', () => {
  const broken = pass(event('{"content":"Here:"}') + picture(`${PICTURE}\u0001`), 65_536)
  expect([broken.guard.isBroken(), broken.text.length]).toEqual([
    true,
    event('{"content":"Here:"}').length,
  ])
  const failed = pass(`data: {"error":{"message":"${PICTURE}"}}\n\n`, 65_536)
  expect(failed.guard.hasFailed()).toBe(true)
  expect(() => pass(picture('A'.repeat(13_000_000)), 65_536)).toThrow('longer than')
  // An incomplete event is never passed on.
  const cut = pass(picture(PICTURE).slice(0, -100), 65_536)
  expect([cut.text, cut.guard.isComplete()]).toEqual(['', false])
})
