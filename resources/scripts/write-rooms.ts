// Part of npm run generated: writes the order of the modules of server/ into the documents that show it; with
// --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SPINE } from './check-architecture.ts'
import { root } from './run-step.ts'

const PAGES = ['CONTRIBUTING.md', 'server/README.md']
const PLACE = /<!-- rooms -->[\s\S]*?<!-- \/rooms -->/
const LONGEST_LINE = 100

/** Formats the modules in lines of a readable length. */
function toLines(rooms: readonly string[]): string {
  const lines = ['']
  for (const [index, room] of rooms.entries()) {
    const word = index === rooms.length - 1 ? room : `${room} ·`
    const line = lines.at(-1)!
    if (line.length + word.length >= LONGEST_LINE) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}

const text = `<!-- rooms -->\n\n${toLines(SPINE)}\n\n<!-- /rooms -->`
const isCheck = process.argv.includes('--check')
for (const page of PAGES) {
  const file = path.join(root, page)
  const before = readFileSync(file, 'utf8')
  if (!PLACE.test(before)) throw new Error(`${page} has no place for the rooms.`)
  const after = before.replace(PLACE, () => text)
  if (after === before) continue
  if (!isCheck) writeFileSync(file, after)
  else {
    console.error(`${page} is out of date: run npm run generated.`)
    process.exitCode = 1
  }
}
