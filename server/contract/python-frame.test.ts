import { describe, expect, it } from 'vitest'
import { parseFrameReport } from './python-frame.ts'

const value = {
  stdout: '',
  stderr: '',
  result: null,
  html: null,
  pictures: [],
  error: null,
  files: [],
  tooLarge: [],
}
const from = (report: unknown) => ({ type: 'from', session: 's', report })
const done = (patch: object) => from({ type: 'done', value: { ...value, ...patch } })

describe('reports of the frame', () => {
  it('are taken as they are defined', () => {
    const error = { name: 'E', message: '', line: null, traceback: '' }
    const reports = [
      { type: 'ready' },
      { type: 'compiled' },
      { type: 'broken', message: 'x' },
      from({ type: 'phase', phase: 'running' }),
      from({ type: 'need', name: 'numpy.whl' }),
      from({ type: 'output', pieces: [{ stream: 'stdout', text: 'x' }] }),
      from({ type: 'ended', reason: 'memory', message: '' }),
      done({}),
      done({
        error,
        pictures: ['data:image/png;base64,AA=='],
        files: [{ name: 'a', bytes: new Uint8Array(1) }],
      }),
    ]
    for (const report of reports) expect(parseFrameReport(report)).toEqual(report)
  })

  it('of hostile code are nothing at all', () => {
    const odd = [
      null,
      7,
      'ready',
      {},
      { type: 'from', session: 7, report: {} },
      { type: 'broken' },
      from(null),
      from({ type: 'constructor' }),
      from({ type: '__proto__' }),
      from({ type: 'phase', phase: 'dancing' }),
      from({ type: 'need', name: 7 }),
      from({ type: 'output', pieces: [{ stream: 'stdin', text: '' }] }),
      from({ type: 'output', pieces: { length: 1 } }),
      from({ type: 'ended', reason: 'x', message: '' }),
      from({ type: 'done', value: null }),
      done({ stdout: {} }),
      done({ pictures: ['https://elsewhere.example/x.png'] }),
      done({ pictures: ['data:image/svg+xml,<svg onload=1>'] }),
      done({ pictures: 'data:image/png;base64,' }),
      done({ files: [{ name: 'a', bytes: 'x' }] }),
      done({ error: { name: 'x', message: '', traceback: '', line: '1' } }),
      done({ error: { name: 'x', message: '', traceback: '', line: Number.NaN } }),
    ]
    for (const report of odd) expect(parseFrameReport(report), JSON.stringify(report)).toBeNull()
  })
})
