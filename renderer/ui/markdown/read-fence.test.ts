import { expect, it } from 'vitest'
import { readFence } from './read-fence.ts'

it.each([
  ['```ts\nconst a = 1\n```', { language: 'ts', code: 'const a = 1', isClosed: true }],
  ['```ts\nconst a', { language: 'ts', code: 'const a', isClosed: false }],
  ['```', { language: '', code: '', isClosed: false }],
  ['```TypeScript title="x"\na\n', { language: 'typescript', code: 'a', isClosed: false }],
  ['~~~\na\n```\n~~~\n\n', { language: '', code: 'a\n```', isClosed: true }],
  ['````md\n```\ninner\n```\n````', { language: 'md', code: '```\ninner\n```', isClosed: true }],
  ['```\na\n``', { language: '', code: 'a\n``', isClosed: false }],
])('%o', (block, expected) => {
  expect(readFence(block)).toEqual(expected)
})

it.each(['text', '`inline`', '``` a ` b', '    ```\n    indented', '- ```\n  in a list'])(
  '%o is no fence',
  (block) => {
    expect(readFence(block)).toBeNull()
  },
)
