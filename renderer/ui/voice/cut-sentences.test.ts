import { expect, test } from 'vitest'
import { cutSentences, toSpeakable } from './cut-sentences.ts'

/** Returns the sentences spoken for an answer that arrives in pieces of a given length. */
function speakGrowing(text: string, step: number, splitOn?: string): string[] {
  const spoken: string[] = []
  let done = 0
  for (let size = step; size < text.length + step; size += step) {
    const isDone = size >= text.length
    const { pieces, length } = cutSentences(text.slice(done, size), isDone, splitOn)
    spoken.push(...pieces)
    done += length
  }
  expect(done).toBe(text.length)
  return spoken
}

const ANSWER = `# A plan

You can fit it around **almost** anything. It takes 3.5 hours [1]. See [the book](https://example.org/a).

1. Feed the starter.
2. Wait!

\`\`\`ts
const never = 'spoken. Really.'
\`\`\`

<details type="tool_calls"><summary>Looked up. Found.</summary></details>
Done (mostly).`

const WORDS = [
  'A plan',
  'You can fit it around almost anything.',
  'It takes 3.5 hours.',
  'See the book.',
  'Feed the starter.',
  'Wait!',
  'Done (mostly).',
]

test('an answer is spoken sentence by sentence, without code and without what tools did', () => {
  expect(cutSentences(ANSWER, true).pieces).toEqual(WORDS)
})

test.each([1, 3, 7, 40])('the same sentences come of it in pieces of %i characters', (step) => {
  expect(speakGrowing(ANSWER, step)).toEqual(WORDS)
})

test('a sentence without its end waits for it, and is spoken when nothing more comes', () => {
  expect(cutSentences('This is the beginning of a', false)).toEqual({ pieces: [], length: 0 })
  expect(cutSentences('This is all of it', true).pieces).toEqual(['This is all of it'])
})

test('code without its end is never spoken', () => {
  expect(cutSentences('Here it is:\n```\nrm. -rf. all.', true).pieces).toEqual(['Here it is:'])
})

test('single words are joined, and what is too long is cut between words', () => {
  expect(cutSentences('No. No. I mean it. ', true).pieces).toEqual(['No. No. I mean it.'])
  const long = 'word '.repeat(400)
  const { pieces } = cutSentences(long, true)
  expect(pieces.length).toBeGreaterThan(3)
  expect(pieces.join(' ')).toBe(long.trim())
})

test('other languages end their sentences otherwise', () => {
  expect(
    cutSentences('今日はとてもいい天気ですね。散歩に行きましょうか？はい。', true).pieces,
  ).toEqual(['今日はとてもいい天気ですね。', '散歩に行きましょうか？はい。'])
})

test('an administrator may have paragraphs or whole answers spoken at once', () => {
  const text = 'First one. Still first.\n\nSecond one.'
  expect(speakGrowing(text, 4, 'paragraphs')).toEqual(['First one. Still first.', 'Second one.'])
  expect(speakGrowing(text, 4, 'none')).toEqual(['First one. Still first. Second one.'])
})

test('of Markdown the words are spoken', () => {
  expect(toSpeakable('| A | B |\n|---|---|\n| c | d |')).toBe('A , B , , c , d')
  expect(toSpeakable('![A cat](data:image/png;base64,AAAA) sits')).toBe('A cat sits')
  expect(toSpeakable('Go to https://example.org/a/b?c=d now')).toBe('Go to example.org now')
  expect(toSpeakable('*really* `npm run` ~~old~~')).toBe('really npm run old')
  expect(toSpeakable('---')).toBe('')
})
