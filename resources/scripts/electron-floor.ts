import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { root } from './run-step.ts'

const floorSchema = z.object({ oldest: z.string(), checked: z.iso.date() })

export type ElectronFloor = z.output<typeof floorSchema>

const EIGHT_WEEKS = 8 * 7 * 24 * 60 * 60 * 1000

const toNumbers = (version: string): number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10))

function isOlder(version: string, floor: string): boolean {
  const [ours, theirs] = [toNumbers(version), toNumbers(floor)]
  const index = ours.findIndex((part, place) => part !== theirs[place])
  return index !== -1 && ours[index]! < theirs[index]!
}

/**
 * Returns the reason this Electron must not be shipped, or null. The floor file names the newest
 * patched release at a date, which must be reviewed within eight weeks.
 */
export function findFloorFault(version: string, floor: ElectronFloor, now: Date): string | null {
  if (isOlder(version, floor.oldest))
    return `Electron ${version} is older than ${floor.oldest}, the oldest without known holes.`
  if (now.getTime() - Date.parse(floor.checked) > EIGHT_WEEKS) {
    return `Electron's releases were last looked at on ${floor.checked}. Look again and update resources/electron-floor.json.`
  }
  return null
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

/** Same as `findFloorFault`, for the Electron this project declares, today. */
export function checkElectronFloor(): string | null {
  const { version } = z
    .object({ version: z.string() })
    .parse(readJson('node_modules/electron/package.json'))
  return findFloorFault(
    version,
    floorSchema.parse(readJson('resources/electron-floor.json')),
    new Date(),
  )
}
