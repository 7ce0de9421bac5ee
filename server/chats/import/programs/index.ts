import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { ImportSource } from '#contract/imports.ts'
import type { Environment } from '../../../config/env.ts'
import { anythingLlm } from './anything-llm-store.ts'
import { jan } from './jan.ts'
import { lmStudio } from './lm-studio.ts'
import { openWebUi } from './open-webui-store.ts'
import type { Program } from './program.ts'

export const PROGRAMS: readonly Program[] = [openWebUi, lmStudio, jan, anythingLlm]

/** The data of another program on this computer. */
export interface FoundProgram {
  readonly id: string
  readonly source: ImportSource
  readonly path: string
  /** Time of its last change, in unix seconds. */
  readonly changed_at: number
}

const toId = (place: string): string =>
  createHash('sha256').update(place).digest('hex').slice(0, 32)

/** Returns the folders where programs store their data on this system. */
function applicationData(home: string, environment: Environment): string[] {
  const named = [
    environment['XDG_CONFIG_HOME'],
    environment['XDG_DATA_HOME'],
    environment['APPDATA'],
  ]
  const usual = [
    ['.config'],
    ['.local', 'share'],
    ['Library', 'Application Support'],
    ['AppData', 'Roaming'],
  ].map((parts) => path.join(home, ...parts))
  return [...new Set([...named.filter((folder) => folder !== undefined), ...usual])].filter(
    (folder) => path.isAbsolute(folder),
  )
}

/** Searches the known chat locations of known programs, and nothing else. */
export function findPrograms(environment: Environment): FoundProgram[] {
  const home = environment['HOME'] ?? environment['USERPROFILE'] ?? homedir()
  const data = applicationData(home, environment)
  return PROGRAMS.flatMap(({ source, kind, places }) =>
    places(home, data).flatMap((place) => {
      const state = lstatSync(place, { throwIfNoEntry: false })
      const isThere = kind === 'database' ? state?.isFile() : state?.isDirectory()
      return state && isThere
        ? [{ id: toId(place), source, path: place, changed_at: Math.floor(state.mtimeMs / 1000) }]
        : []
    }),
  )
}
