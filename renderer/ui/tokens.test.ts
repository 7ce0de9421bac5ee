import { expect, test } from 'vitest'

const styles = import.meta.glob<string>('../**/*.css', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const sources = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Files that define the tokens and the font metrics. */
const DEFINITIONS = /\/(palette|fonts)\.css$/

const LITERAL_COLOUR = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch)\(|\boklch\((?![^)]*var\()/i
/** A hairline of one pixel, an outline and the thickness of a link's underline are not spacing. */
const LITERAL_LENGTH = /(?<![\w.-])-?(?:\d*\.)?\d+(?:rem|px)\b/g
const LITERAL_TIME = /(?<![\w.])(?:\d*\.)?\d+m?s\b/
const SPACED = /^(?:padding|margin|gap|row-gap|column-gap|inset|scroll-padding|scroll-margin)/

/** Returns the reason a declaration bypasses the tokens, or undefined. */
function findFault(property: string, value: string): string | undefined {
  if (LITERAL_COLOUR.test(value)) return 'a colour'
  const lengths = (value.match(LITERAL_LENGTH) ?? []).filter((each) => !/^-?[01]px$/.test(each))
  if (/^(?:font-size|line-height)$/.test(property) && lengths.length > 0) return 'a size of type'
  if (property.includes('radius') && lengths.length > 0) return 'a radius'
  if (property === 'box-shadow' && !/^(?:none|var\(--shadow-[\w-]+\))$/.test(value))
    return 'a shadow'
  if (SPACED.test(property) && lengths.length > 0) return 'a space'
  if (/^(?:transition|animation)(?:-duration)?$/.test(property) && LITERAL_TIME.test(value))
    return 'a duration'
  return undefined
}

function listFaults(css: string): string[] {
  const text = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    // With reduced motion there are no animations; the shortest possible duration still fires their
    // events.
    .replace(/@media \(prefers-reduced-motion: reduce\)[\s\S]*?\n\}/g, '')
  return [...text.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)].flatMap(
    ([, property = '', value = '']) => {
      const fault = findFault(property, value.trim())
      return fault ? [`${fault}: ${property}: ${value.trim()}`] : []
    },
  )
}

/** Matches utilities with a value of their own, or from one of the framework's scales. */
const LOOSE_UTILITY =
  /(?<=["'`\s:!])(?:(?:text|leading|rounded|shadow|bg|fill|border|outline|ring)-\[(?:#|rgb|hsl|oklch|-?(?:\d*\.)?\d+rem)[^\]]*\]|(?:duration|delay)-(?:\d+|\[\d[^\]]*\])|text-(?:xs|sm|base|lg|xl|\dxl)|rounded(?:-[tbse][lrse]?)?-(?:xs|sm|md|lg|xl|\dxl)|shadow-(?:2?xs|sm|md|lg|xl|2xl)|(?:bg|text|border|fill|stroke)-(?:white|black|[a-z]+-\d{2,3}))(?=["'`\s])/g

test('a declaration beside the tokens is found', () => {
  expect(
    listFaults(
      `.a { color: #fff; padding: 3px 0; border-radius: 8px; font-size: 15px; transition: color 200ms; box-shadow: 0 0 4px black; }`,
    ),
  ).toHaveLength(6)
  expect(
    listFaults(
      '.a { padding: var(--space-2) 0; font-size: 0.875em; border: 1px solid var(--line); }',
    ),
  ).toEqual([])
  expect(
    "className='text-[0.8rem] rounded-lg duration-300 bg-red-500 p-2'".match(LOOSE_UTILITY),
  ).toEqual(['text-[0.8rem]', 'rounded-lg', 'duration-300', 'bg-red-500'])
})

test('styles use the tokens for colour, type, space, radius, elevation and motion', () => {
  const files = Object.entries(styles).filter(([name]) => !DEFINITIONS.test(name))
  expect(files.length).toBeGreaterThan(15)
  expect(
    files.flatMap(([name, css]) => listFaults(css).map((fault) => `${name} ${fault}`)),
  ).toEqual([])
})

test('components use the tokens, no value or scale beside them', () => {
  const files = Object.entries(sources)
  expect(files.length).toBeGreaterThan(200)
  expect(
    files.flatMap(([name, source]) =>
      (source.match(LOOSE_UTILITY) ?? []).map((utility) => `${name} ${utility}`),
    ),
  ).toEqual([])
})

test('every token is used', () => {
  const palette = Object.entries(styles).find(([name]) => name.endsWith('palette.css'))?.[1] ?? ''
  const everything = [...Object.values(styles), ...Object.values(sources)].join('\n')
  const names = new Set([...palette.matchAll(/^\s+(--[\w-]+):/gm)].map(([, name = '']) => name))
  expect([...names].filter((name) => !everything.includes(`var(${name}`))).toEqual([])
})

test('nothing that moves takes longer than 150 ms', () => {
  const palette = Object.entries(styles).find(([name]) => name.endsWith('palette.css'))?.[1] ?? ''
  const times = [...palette.matchAll(/--motion-\w+: (\d+)ms/g)].map(([, time]) => Number(time))
  expect(times.length).toBeGreaterThan(1)
  expect(Math.max(...times)).toBeLessThanOrEqual(150)
})
