import { expect, it } from 'vitest'
import { measureReport } from './measure-report.ts'

it('counts text and bytes, and all that lies under a view', () => {
  const bytes = new Uint8Array(5000)
  expect(measureReport({ type: 'done', value: { stdout: 'x'.repeat(1000) } })).toBeLessThan(1100)
  expect(measureReport({ files: [{ name: 'a', bytes }] })).toBeGreaterThanOrEqual(5000)
  expect(measureReport(bytes.subarray(0, 1))).toBe(5000)
})

it('takes what no report is made of for infinitely large', () => {
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const odd = [circle, { a: new ArrayBuffer(1) }, new Map(), [new Set()], new Float64Array(1)]
  for (const each of odd) expect(measureReport(each)).toBe(Infinity)
})
