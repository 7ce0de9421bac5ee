import { describe, expect, test } from 'vitest'
import { ACCENTS } from '../lib/appearance.ts'
import palette from './palette.css?raw'

type Colours = ReadonlyMap<string, string>

/** Returns the custom properties of every rule whose selector list contains `selector`. */
function readRule(selector: string): Colours {
  const text = palette.replace(/\/\*[\s\S]*?\*\//g, '')
  const found = new Map<string, string>()
  for (const [, selectors = '', body = ''] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (!selectors.split(',').some((each) => each.trim() === selector)) continue
    for (const [, name = '', value = ''] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g))
      found.set(name, value.trim())
  }
  return found
}

const ROOT = readRule(':root')
const MORE = readRule(":root[data-contrast='more']")

function toColours(accent: string, isHigh: boolean): Colours {
  return new Map([
    ...ROOT,
    ...(accent === 'teal' ? [] : readRule(`:root[data-accent='${accent}']`)),
    ...(isHigh ? MORE : []),
  ])
}

const COLOUR = String.raw`(#\w{6}|rgb\([^)]*\))`
const PAIR = new RegExp(String.raw`^light-dark\(${COLOUR}, ${COLOUR}\)$`)

/** Returns red, green, blue and the opacity of a colour of the palette in one scheme. */
function readColour(colours: Colours, name: string, isDark: boolean): readonly number[] {
  const value = colours.get(`--${name}`)
  if (!value) throw new Error(`There is no colour ${name}.`)
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
  if (other) return readColour(colours, other, isDark)
  const [, light, dark] = PAIR.exec(value) ?? []
  const text = isDark ? dark : light
  if (!text) throw new Error(`${name} is no pair of colours: ${value}`)
  if (text.startsWith('#'))
    return [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16)).concat(1)
  const [red = 0, green = 0, blue = 0, percent = 100] = (text.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue, percent / 100]
}

/**
 * Returns red, green and blue of what is seen where the colours of a name such as `hover on page`
 * lie on each other; the lowest has to be opaque.
 */
function read(colours: Colours, name: string, isDark: boolean): readonly number[] {
  const [lowest = '', ...above] = name.split(' on ').toReversed()
  const [red = 0, green = 0, blue = 0, opacity] = readColour(colours, lowest, isDark)
  if (opacity !== 1) throw new Error(`${lowest} is not opaque.`)
  return above.reduce<readonly number[]>(
    (below, layer) => {
      const parts = readColour(colours, layer, isDark)
      const share = parts[3] ?? 1
      return below.map((part, place) => (parts[place] ?? 0) * share + part * (1 - share))
    },
    [red, green, blue],
  )
}

/** Relative luminance and contrast as defined by WCAG 2.2. */
function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const SURFACES = ['page', 'sidebar', 'raised', 'sunken'] as const

/** Pairs of text colour and background. */
const WRITTEN: readonly (readonly [string, string])[] = [
  ...SURFACES.flatMap((surface) =>
    ['ink', 'muted', 'accent', 'accent-strong', 'danger', 'warning'].map(
      (ink) => [ink, surface] as const,
    ),
  ),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['accent-strong', 'accent-soft'],
  ['ink', 'accent-soft'],
  ['danger', 'danger-soft'],
  ['warning', 'warning-soft'],
  // Rows that are pointed at or chosen, badges, and the boxes of results with their small print.
  ...SURFACES.flatMap((surface) =>
    ['hover', 'pressed'].flatMap((layer) =>
      ['ink', 'muted'].map((ink) => [ink, `${layer} on ${surface}`] as const),
    ),
  ),
  ...['accent', 'danger'].map((ink) => [ink, 'hover on page'] as const),
  ...['accent', 'danger', 'warning'].flatMap((tone) =>
    ['ink', 'muted'].map((ink) => [ink, `${tone}-soft`] as const),
  ),
  ['muted', 'hover on accent-soft'],
  ['page', 'ink'],
]

describe.each([
  ['light', false, false, 4.5],
  ['dark', true, false, 4.5],
  ['high contrast, light', false, true, 7],
  ['high contrast, dark', true, true, 7],
] as const)('in the theme %s', (_name, isDark, isHigh, enough) => {
  test.each(ACCENTS)('every text can be read with the accent %s', (accent) => {
    const colours = toColours(accent, isHigh)
    const poor = WRITTEN.map(([ink, surface]) => ({
      pair: `${ink} on ${surface}`,
      contrast: contrast(read(colours, ink, isDark), read(colours, surface, isDark)),
      // Soft surfaces and signal colours are always accompanied by a word.
      enough: ['ink', 'muted'].includes(ink) && SURFACES.includes(surface as 'page') ? enough : 4.5,
    })).filter((each) => each.contrast < each.enough)
    expect(poor).toEqual([])
  })

  test('edges of fields, faint signs and the ring of the focus can be seen', () => {
    for (const accent of ACCENTS) {
      const colours = toColours(accent, isHigh)
      for (const surface of SURFACES)
        for (const mark of ['edge', 'faint', 'accent'])
          expect(
            contrast(read(colours, mark, isDark), read(colours, surface, isDark)),
            `${mark} on ${surface}`,
          ).toBeGreaterThanOrEqual(3)
    }
  })
})
