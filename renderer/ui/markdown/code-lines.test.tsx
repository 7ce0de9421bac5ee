// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CodeLines } from './code-lines.tsx'
import type { ColouredLine } from './highlight-protocol.ts'

afterEach(cleanup)

const LINES: readonly ColouredLine[] = [
  [
    ['const', '#a00', '#f88'],
    [' a', null, null],
  ],
  [['ret', '#a00', '#f88']],
]

const coloured = (code: string): string[] =>
  [...render(<CodeLines code={code} lines={LINES} />).container.querySelectorAll('span')].map(
    ({ textContent }) => textContent ?? '',
  )

test('a line that grows keeps the colours it has, so that nothing flashes while it is written', () => {
  const code = 'const a = 1\nreturn a'
  const { container } = render(<CodeLines code={code} lines={LINES} />)
  expect(container.textContent).toBe(`${code}\n`)
  expect(coloured(code)).toEqual(['const', ' a', 'ret'])
})

test('a line that changed is plain until it is coloured again', () => {
  expect(coloured('let a = 1\nreturn a')).toEqual(['ret'])
})
