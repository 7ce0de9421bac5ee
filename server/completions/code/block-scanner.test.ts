import { expect, test } from 'vitest'
import { BlockScanner } from './block-scanner.ts'

function scan(text: string, size: number) {
  const scanner = new BlockScanner()
  let shown = ''
  for (let at = 0; at < text.length && scanner.code === null; at += size)
    shown += scanner.push(text.slice(at, at + size))
  shown += scanner.end()
  return { shown, code: scanner.code }
}

const BLOCK = '<code_interpreter type="code" lang="python">\nprint(1 < 2)\n</code_interpreter>'

test.each([
  [`Let me see.\n${BLOCK}\nand more`, { shown: 'Let me see.\n', code: 'print(1 < 2)' }],
  [
    BLOCK.replace('\nprint(1 < 2)\n', '\n```python\nprint(1)\n```\n'),
    { shown: '', code: 'print(1)' },
  ],
  ['<code_interpreter>x = 1', { shown: '', code: 'x = 1' }],
  ['a <code and <b>c</b> <', { shown: 'a <code and <b>c</b> <', code: null }],
  ['cut in <code_interpreter ty', { shown: 'cut in <code_interpreter ty', code: null }],
])('%j is split alike however it is cut', (text, expected) => {
  for (const size of [1, 3, 7, 1000]) expect(scan(text, size)).toEqual(expected)
})
