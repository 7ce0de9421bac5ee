import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseTraceParent, toTraceParent } from './trace-parent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

it('reads the span of a caller and writes one alike', () => {
  const header = `00-${TRACE}-${SPAN}-01`
  const found = parseTraceParent(header)
  expect(found).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true })
  expect(toTraceParent(found!)).toBe(header)
  expect(parseTraceParent(`cc-${TRACE}-${SPAN}-03-later`)).toMatchObject({ traceFlags: 1 })
})

it.each([
  undefined,
  '',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE}x-${SPAN}-01`,
  [`00-${TRACE}-${SPAN}-01`],
])('takes %j for none', (header) => {
  expect(parseTraceParent(header)).toBeNull()
})

it('takes whatever is sent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      const found = parseTraceParent(header) ?? parseTraceParent(`00-${TRACE}-${SPAN}-01`)!
      expect(toTraceParent(found)).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-0[01]$/)
    }),
  )
})
