import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isReachable, MINIMUM_SIZE, placeWindow } from './window-bounds.ts'

const laptop = { workArea: { x: 0, y: 24, width: 1440, height: 876 } }
const monitor = { workArea: { x: 1440, y: 0, width: 2560, height: 1400 } }

test('the window opens where it was left', () => {
  const saved = { x: 1500, y: 100, width: 1000, height: 700 }
  expect(placeWindow(saved, [laptop, monitor])).toEqual(saved)
})

test('a window saved on a display that was unplugged opens centred on the primary one', () => {
  expect(placeWindow({ x: 2000, y: 100, width: 1000, height: 700 }, [laptop])).toEqual({
    x: 220,
    y: 112,
    width: 1000,
    height: 700,
  })
})

test('without a saved place the window is centred', () => {
  expect(placeWindow(null, [laptop])).toEqual({ x: 130, y: 62, width: 1180, height: 800 })
})

test('whatever was saved, the window lies wholly on one display and is usable', () => {
  const number = fc.integer({ min: -10_000, max: 10_000 })
  const size = fc.integer({ min: -500, max: 20_000 })
  const area = fc.record({
    x: number,
    y: number,
    width: fc.integer({ min: 640, max: 4000 }),
    height: fc.integer({ min: 480, max: 3000 }),
  })
  const displays = fc.array(fc.record({ workArea: area }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.record({ x: number, y: number, width: size, height: size }),
      displays,
      (saved, screens) => {
        const placed = placeWindow(saved, screens)
        expect(placed.width).toBeGreaterThanOrEqual(MINIMUM_SIZE.width)
        expect(placed.height).toBeGreaterThanOrEqual(MINIMUM_SIZE.height)
        const isInside = screens.some(
          ({ workArea }) =>
            placed.x >= workArea.x &&
            placed.y >= workArea.y &&
            placed.x + placed.width <= workArea.x + workArea.width &&
            placed.y + placed.height <= workArea.y + workArea.height,
        )
        expect(isInside).toBe(true)
      },
    ),
  )
})

test.each([
  ['on the second display', { x: 1500, y: 100 }, [laptop, monitor], true],
  ['on a display that was unplugged', { x: 1500, y: 100 }, [laptop], false],
  ['half beside the only display, on purpose', { x: 1000, y: 100 }, [laptop], true],
  ['with nothing but its corner left', { x: 1400, y: 100 }, [laptop], false],
  [
    'with its upper edge below the display, which became smaller',
    { x: 0, y: 890 },
    [laptop],
    false,
  ],
  ['with its upper edge above the display', { x: 0, y: -300 }, [laptop], false],
])('a window %s can be reached: %#', (_, place, displays, isReached) => {
  expect(isReachable({ ...place, width: 1000, height: 700 }, displays)).toBe(isReached)
})

test('what was placed can be reached', () => {
  const saved = { x: 9000, y: -9000, width: 1000, height: 700 }
  expect(isReachable(placeWindow(saved, [laptop, monitor]), [laptop, monitor])).toBe(true)
})
