import { toShortTitle } from '../message-text.ts'
import { readField, withoutReasoning } from './read-json.ts'

const LEADING_DECORATION = /^[\s#*"'`“„«]*(title:)?[\s*"'`“„«]*/i
const LONGEST_LOOK = 1000
const TRAILING_DECORATION = /[\s*"'`”“»]+$/

/** Reads a title from a model's text: the requested JSON, or its first line of plain text. */
export function parseTitle(text: string): string | null {
  const said = withoutReasoning(text)
  // Text further back is not part of a title, and the patterns are slow on long runs of spaces.
  const title = findTitle(said)
    .slice(0, LONGEST_LOOK)
    .replace(LEADING_DECORATION, '')
    .replace(TRAILING_DECORATION, '')
  return title === '' ? null : toShortTitle(title)
}

function findTitle(said: string): string {
  const named = readField(said, 'title')
  if (typeof named === 'string') return named
  // JSON without a title, or cut off, is not used as plain text.
  return named !== undefined || said.startsWith('{') ? '' : firstLine(said)
}

const firstLine = (said: string): string =>
  said.split('\n').find((line) => line.trim() !== '' && !line.startsWith('```')) ?? ''
