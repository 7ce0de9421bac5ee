import { readText } from '../decode-text.ts'
import type { Reader } from '../reader.ts'
import { Refusal } from '../refusal.ts'

const TIMES = /^((?:\d+:)?\d{1,2}:\d{2})[.,]\d{1,3}\s+-->/
const NOT_SPOKEN = /^(WEBVTT|NOTE|STYLE|REGION)\b/
/** Formatting tags, and the class or voice of the speaker. */
const TAG = /<\/?[a-z][^>]*>|\{\\[^}]*\}/gi

/**
 * Returns the text of one block of a subtitle file, with its start time; empty for comments and
 * styles.
 */
export function toCue(block: string): string {
  const lines = block.split('\n').filter((line) => line.trim() !== '')
  const place = lines.findIndex((line) => TIMES.test(line))
  if (place === -1)
    return NOT_SPOKEN.test(lines[0] ?? '') || lines.length === 0 ? '' : lines.join(' ')
  const spoken = lines
    .slice(place + 1)
    .join(' ')
    .replaceAll(/<v\s+([^>]+)>/gi, '$1: ')
    .replaceAll(TAG, '')
    .trim()
  return spoken === '' ? '' : `[${TIMES.exec(lines[place]!)![1]}] ${spoken}`
}

const LONGEST_BLOCK = 1_000_000

export const readSubtitles: Reader = async (file, { sink, progress }) => {
  let rest = ''
  const writeCues = (blocks: readonly string[]): void => {
    for (const cue of blocks.map(toCue)) if (cue !== '') sink.write(`${cue}\n`)
  }
  for await (const piece of readText(file.path, { onBytes: (read) => progress(read, file.size) })) {
    const blocks = (rest + piece.replaceAll(/\r\n?/g, '\n').replaceAll('\ufeff', '')).split(
      /\n[ \t]*\n/,
    )
    rest = blocks.pop() ?? ''
    if (rest.length > LONGEST_BLOCK)
      throw new Refusal('The file is damaged: it cannot be read as subtitles.')
    writeCues(blocks)
    await sink.flush()
  }
  writeCues([rest])
  return { format: 'text' }
}
