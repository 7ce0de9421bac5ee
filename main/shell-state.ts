import { globalShortcutSchema, updateModeSchema } from '#desktop'
import { z } from 'zod'
import { readTextFile, writeTextFile } from './atomic-file.ts'

const boundsSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
})
export type Bounds = z.output<typeof boundsSchema>

const shellStateSchema = z.object({
  bounds: boundsSchema.nullable().catch(null),
  isMaximized: z.boolean().catch(false),
  isFullScreen: z.boolean().catch(false),
  theme: z.enum(['light', 'dark', 'system']).catch('system'),
  /** What the interface is shown in; null until it has said so, when the system's counts. */
  language: z.string().max(20).nullable().catch(null),
  /** Chosen in the tray: closing the window leaves the gateway running. */
  staysInTray: z.boolean().catch(false),
  /** False after the graphics process kept crashing. */
  usesGraphicsCard: z.boolean().catch(true),
  /** Keys that open the quick question from anywhere; null for none, which is how it begins. */
  quickAskShortcut: globalShortcutSchema.nullable().catch(null),
  /** Null until somebody has chosen, when it depends on the system. */
  checksSpelling: z.boolean().nullable().catch(null),
  /** How much larger or smaller than usual pages are, in steps. */
  zoom: z.number().min(-5).max(5).catch(0),
  /** Null until somebody has said whether new versions are looked for. */
  updates: updateModeSchema.nullable().catch(null),
  quickAskStaysOnTop: z.boolean().catch(true),
  /** Where the window of the quick question was moved to. */
  quickAskPlace: z.object({ x: z.number().int(), y: z.number().int() }).nullable().catch(null),
})
export type ShellState = z.output<typeof shellStateSchema>

/** What the shell remembers between starts. */
export interface ShellStateStore {
  readonly current: ShellState
  update(change: Partial<ShellState>): void
}

function parseState(text: string | null): ShellState {
  try {
    return shellStateSchema.parse(JSON.parse(text ?? '{}'))
  } catch {
    // Only comfort is lost with a damaged file: the window opens at its usual place.
    return shellStateSchema.parse({})
  }
}

export function openShellState(file: string): ShellStateStore {
  let current = parseState(readTextFile(file))
  return {
    get current() {
      return current
    },
    update(change) {
      current = { ...current, ...change }
      writeTextFile(file, `${JSON.stringify(current, null, 2)}\n`)
    },
  }
}
