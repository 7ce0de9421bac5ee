import { expect, it } from 'vitest'
import {
  countAfter,
  countToShow,
  FIRST_MESSAGES,
  growCount,
  settleCount,
  toShown,
} from './message-window.ts'

const order = Array.from({ length: 400 }, (_, index) => `m${index}`)

it('the end of the chat is drawn first', () => {
  expect(toShown(order, FIRST_MESSAGES).at(-1)).toBe('m399')
  expect(toShown(order, FIRST_MESSAGES)).toHaveLength(FIRST_MESSAGES)
})

it('more is drawn step by step until nothing is left to draw', () => {
  let count: number | null = FIRST_MESSAGES
  let steps = 0
  while (count !== null && steps < 100) {
    expect(count).toBeLessThanOrEqual(400)
    count = growCount(count, order.length)
    steps += 1
  }
  expect(steps).toBeLessThan(25)
})

it('a message that is looked for is drawn with a few before it', () => {
  expect(toShown(order, countToShow(order, 'm100'))).toContain('m97')
  expect(countToShow(order, 'missing')).toBe(FIRST_MESSAGES)
})

it('back at the end of a long chat the old messages go again', () => {
  expect(settleCount(390)).toBeLessThan(50)
  expect(settleCount(60)).toBe(60)
})

it('messages that came since are counted', () => {
  expect(countAfter(order, 'm396')).toBe(3)
  expect(countAfter(order, null)).toBe(0)
  expect(countAfter(order, 'missing')).toBe(0)
})
