// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { followSwipe } from './follow-swipe.ts'

afterEach(() => {
  document.body.replaceChildren()
  document.dir = ''
})

function touch(target: Element, type: string, x: number, y: number): void {
  const points = [{ clientX: x, clientY: y }]
  target.dispatchEvent(
    Object.assign(new Event(type, { bubbles: true }), {
      touches: type === 'touchend' ? [] : points,
      changedTouches: points,
    }),
  )
}

function listen(inside = 'div') {
  const element = document.body.appendChild(document.createElement('main'))
  const target = element.appendChild(document.createElement(inside))
  const heard: string[] = []
  const stop = followSwipe(element, (direction) => heard.push(direction))
  const swipe = (x: number, y = 0): void => {
    touch(target, 'touchstart', 100, 100)
    touch(target, 'touchend', 100 + x, 100 + y)
  }
  return { heard, stop, swipe }
}

test('a swipe is told by its direction along the line, mirrored from right to left', () => {
  const { heard, stop, swipe } = listen()
  swipe(90)
  swipe(-90)
  document.dir = 'rtl'
  swipe(90)
  stop()
  swipe(90)
  expect(heard).toEqual(['forward', 'back', 'back'])
})

test('a swipe that an inner element uses does not reach the elements around it', () => {
  const outer = document.body.appendChild(document.createElement('main'))
  const inner = outer.appendChild(document.createElement('div'))
  const heard: string[] = []
  followSwipe(outer, (direction) => heard.push(direction))
  followSwipe(inner, (direction) => direction === 'back')
  for (const way of [-90, 90]) {
    touch(inner, 'touchstart', 100, 100)
    touch(inner, 'touchend', 100 + way, 100)
  }
  expect(heard).toEqual(['forward'])
})

test('a tap that slid and a finger that scrolls are no swipes', () => {
  const { heard, swipe } = listen()
  swipe(30)
  swipe(90, 80)
  expect(heard).toEqual([])
})

test('a finger in a field of text chooses text', () => {
  const { heard, swipe } = listen('textarea')
  swipe(90)
  expect(heard).toEqual([])
})
