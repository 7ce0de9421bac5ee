import { expect, test } from 'vitest'
import { type Heard, SpeechDetector } from './speech-detector.ts'

const LOOK = 40

/**
 * Returns the events detected for a sequence of levels, each lasting the given milliseconds, with
 * their times.
 */
function follow(
  course: readonly (readonly [level: number, milliseconds: number])[],
  isAnswering = false,
): [Heard, number][] {
  const detector = new SpeechDetector()
  const heard: [Heard, number][] = []
  let now = 0
  for (const [level, milliseconds] of course) {
    for (const end = now + milliseconds; now < end; now += LOOK) {
      const found = detector.hear(level, now, isAnswering)
      if (found) heard.push([found, now])
    }
  }
  return heard
}

test('somebody begins to speak and ends, with pauses between words', () => {
  const heard = follow([
    [0.001, 1000],
    [0.1, 600],
    [0.001, 400],
    [0.08, 500],
    [0.001, 2000],
  ])
  expect(heard.map(([what]) => what)).toEqual(['began', 'ended'])
  expect(heard[0]![1]).toBeLessThan(1300)
  expect(heard[1]![1]).toBeGreaterThan(3200)
})

test('a click is no speech', () => {
  expect(
    follow([
      [0.001, 1000],
      [0.3, 80],
      [0.001, 2000],
      [0.3, 80],
      [0.001, 2000],
    ]),
  ).toEqual([])
})

test('a loud room is learnt', () => {
  expect(
    follow([
      [0.011, 8000],
      [0.02, 3000],
    ]),
  ).toEqual([])
  expect(
    follow([
      [0.011, 8000],
      [0.2, 1000],
    ]).map(([what]) => what),
  ).toEqual(['began'])
})

test('while it speaks itself it takes more to interrupt', () => {
  const course = [
    [0.001, 1000],
    [0.02, 1000],
  ] as const
  expect(follow(course).map(([what]) => what)).toEqual(['began'])
  expect(follow(course, true)).toEqual([])
})
