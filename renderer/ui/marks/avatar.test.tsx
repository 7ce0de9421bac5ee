// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { avatarColour, avatarInitials } from '#contract/avatars.ts'
import { Avatar } from './avatar.tsx'

afterEach(cleanup)

/** Returns the contrast of an `hsl()` colour to white, after WCAG 2. */
function contrastToWhite(colour: string): number {
  const [hue = 0, saturation = 0, lightness = 0] = colour.match(/\d+/g)!.map(Number)
  const spread = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100)
  const [red = 0, green = 0, blue = 0] = [0, 8, 4].map((offset) => {
    const step = (offset + hue / 30) % 12
    const value = lightness / 100 - spread * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

const PICTURE = '/api/v1/users/u1/profile/image'

test('initials stand there until the picture has come, and again where it does not come', () => {
  const { container } = render(<Avatar name="Ada Lovelace" id="u1" picture={PICTURE} />)
  const image = container.querySelector('img')!
  expect(container.textContent).toBe('AL')
  fireEvent.load(image)
  expect(container.textContent).toBe('')
  fireEvent.error(image)
  expect(container.textContent).toBe('AL')
  expect(container.querySelector('img')).toBeNull()
})

test('a webhook has its sign until its picture has come, and no picture of a stranger is asked for', () => {
  const { container, rerender } = render(
    <Avatar kind="webhook" name="Builds" id="w1" picture="/api/v1/channels/webhooks/w1/x" />,
  )
  expect(container.querySelector('svg')).not.toBeNull()
  fireEvent.load(container.querySelector('img')!)
  expect(container.querySelector('svg')).toBeNull()
  rerender(<Avatar kind="webhook" name="Builds" id="w1" picture="https://elsewhere.example/x" />)
  expect(container.querySelector('img')).toBeNull()
  expect(container.querySelector('svg')).not.toBeNull()
})

test('a person has the same letters and colour wherever the gateway or the interface draws them', () => {
  const { container } = render(<Avatar name="Grace van Tester" id="u7" />)
  expect(container.textContent).toBe('GT')
  const { background } = (container.firstElementChild as HTMLElement).style
  expect(background).not.toBe('')
  cleanup()
  const other = render(<Avatar name="Grace van Tester" id="u8" size="small" />).container
  expect((other.firstElementChild as HTMLElement).style.background).not.toBe(background)
})

test('white letters can be read on the colour of every person', () => {
  for (let hue = 0; hue < 360; hue += 5)
    expect(contrastToWhite(avatarColour(hue)), `hue ${hue}`).toBeGreaterThanOrEqual(4.5)
})

test.each([
  ['Grace Tester', 'GT'],
  ['ada', 'A'],
  ['Maria de la Cruz', 'MC'],
  ['"><script>', 'S'],
  ['ليلى حسن', 'لح'],
  ['😀 …', ''],
  ['\u202e', ''],
  ['\u0000\u0000', ''],
])('the initials of %j are %j', (name, letters) => expect(avatarInitials(name)).toBe(letters))
