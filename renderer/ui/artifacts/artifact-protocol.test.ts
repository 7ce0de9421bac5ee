import { expect, it } from 'vitest'
import { parseArtifactMessage } from './artifact-protocol.ts'

it('takes messages of a known form and no others', () => {
  expect(parseArtifactMessage({ type: 'ready', more: 1 })).toEqual({ type: 'ready' })
  expect(parseArtifactMessage({ type: 'problem', kind: 'error', text: 'x', line: 3 })).toEqual({
    type: 'problem',
    kind: 'error',
    text: 'x',
    line: 3,
  })
  expect(parseArtifactMessage({ type: 'height', height: 3.5 })).toEqual({
    type: 'height',
    height: 3.5,
  })
  for (const data of [
    null,
    'ready',
    { type: 'height', height: Number.NaN },
    { type: 'height', height: '1' },
    { type: 'problem', kind: 'other', text: 'x' },
    { type: 'problem', kind: 'error', text: 1 },
    { type: 'problem', kind: 'error', text: '' },
  ])
    expect(parseArtifactMessage(data)).toBeNull()
})

it('shortens what a page says and drops lines that are none', () => {
  const message = parseArtifactMessage({
    type: 'problem',
    kind: 'console',
    text: 'x'.repeat(9000),
    line: -1,
  })
  expect(message).toMatchObject({ text: 'x'.repeat(2000), line: null })
})
