import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readProgram } from '../config/program.ts'

interface Change {
  readonly title: string
  readonly content: string
}

/** Changes in one version, by kind. */
export type VersionChanges = Record<string, string | Change[]> & { date: string }

const UNSORTED = 'changed'

/** Parses a line such as `**Title**: text`; a line without a title is all content. */
function parseChange(line: string): Change {
  const [, title = '', content = line] = /^\*\*(.+?)\*\*:?\s*(.*)$/.exec(line) ?? []
  return { title: title.replace(/:$/, ''), content }
}

/** Parses `## version - date` headings, `### kind` headings below them, and list items. */
export function parseChangelog(text: string): Record<string, VersionChanges> {
  const versions = new Map<string, VersionChanges>()
  let current: VersionChanges | undefined
  let kind = UNSORTED
  for (const line of text.split('\n').map((each) => each.trimEnd())) {
    const [, version, date = ''] = /^## \[?([^\]\s]+)\]?(?:\s+[-–]\s+(.+))?$/.exec(line) ?? []
    const [, heading] = /^### (.+)$/.exec(line) ?? []
    const [, item] = /^- (.+)$/.exec(line) ?? []
    if (version !== undefined) {
      kind = UNSORTED
      versions.set(version, (current = { date }))
    } else if (heading !== undefined) kind = heading.trim().toLowerCase()
    else if (item !== undefined && current)
      current[kind] = [...((current[kind] as Change[] | undefined) ?? []), parseChange(item)]
  }
  return Object.fromEntries(versions)
}

/** Returns the changes of all versions, read from the file beside the program. */
export function readChangelog(): Record<string, VersionChanges> {
  const file = path.join(readProgram().folder, 'CHANGELOG.md')
  return existsSync(file) ? parseChangelog(readFileSync(file, 'utf8')) : {}
}
