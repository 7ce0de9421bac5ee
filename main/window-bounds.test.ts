import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINIMUM_SIZE, placeWindow } from './window-bounds.ts'

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
