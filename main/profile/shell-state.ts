import { globalShortcutSchema, updateModeSchema } from '#desktop'
import { z } from 'zod'
import { readTextFile, writeTextFile } from './atomic-file.ts'

const boundsSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
})
export type Bounds = z.output<typeof boundsSchema>

const shellStateSchema = z.object({
  bounds: boundsSchema.nullable().catch(null),
  isMaximized: z.boolean().catch(false),
  isFullScreen: z.boolean().catch(false),
  theme: z.enum(['light', 'dark', 'system']).catch('system'),
  /** Language of the UI; null until the UI has reported it, in which case the system's is used. */
  language: z.string().max(20).nullable().catch(null),
  /** Set in the tray menu: closing the window leaves the gateway running. */
  staysInTray: z.boolean().catch(false),
  /** False after repeated crashes of the graphics process. */
  usesGraphicsCard: z.boolean().catch(true),
  /** Global shortcut of the quick window; null for none, the default. */
  quickAskShortcut: globalShortcutSchema.nullable().catch(null),
  /** Null until the user has chosen, in which case it depends on the system. */
  checksSpelling: z.boolean().nullable().catch(null),
  /** Zoom of pages, in steps from the default. */
  zoom: z.number().min(-5).max(5).catch(0),
  /** Null until the user has decided about update checks. */
  updates: updateModeSchema.nullable().catch(null),
  quickAskStaysOnTop: z.boolean().catch(true),
  /** Position to which the quick window was moved. */
  quickAskPlace: z.object({ x: z.int(), y: z.int() }).nullable().catch(null),
})
export type ShellState = z.output<typeof shellStateSchema>

/** State the shell stores between starts. */
export interface ShellStateStore {
  readonly current: ShellState
  /** Applies and stores what the user chose; throws if it cannot be stored. */
  update(change: Partial<ShellState>): void
  /** Applies and stores what is only convenient to have again, if it can be stored. */
  remember(change: Partial<ShellState>): void
}

function readState(file: string): ShellState {
  try {
    return shellStateSchema.parse(JSON.parse(readTextFile(file) ?? '{}'))
  } catch {
    // A damaged or unreadable file has minor consequences: the window opens at its default position.
    return shellStateSchema.parse({})
  }
}

export class ShellStateFile implements ShellStateStore {
  readonly #file: string
  #current: ShellState

  constructor(file: string) {
    this.#file = file
    this.#current = readState(file)
  }

  get current(): ShellState {
    return this.#current
  }

  update(change: Partial<ShellState>): void {
    this.#current = { ...this.#current, ...change }
    writeTextFile(this.#file, `${JSON.stringify(this.#current, null, 2)}\n`)
  }

  remember(change: Partial<ShellState>): void {
    try {
      this.update(change)
    } catch {
      // A full disk costs no more than the place of a window at the next start.
    }
  }
}
