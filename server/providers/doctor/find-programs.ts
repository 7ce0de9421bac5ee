import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Environment } from '../../config/env.ts'

interface Program {
  readonly name: string
  readonly port: number
  /** Names of its command, and places where its installer puts it. */
  readonly commands: readonly string[]
  readonly places: readonly string[]
  /** How a person starts its server. */
  readonly start: string
}

const HOME = homedir()

/** Programs that serve models, by the port they listen on unless told otherwise. */
const PROGRAMS: readonly Program[] = [
  {
    name: 'Ollama',
    port: 11_434,
    commands: ['ollama'],
    places: ['/Applications/Ollama.app', path.join(HOME, 'AppData/Local/Programs/Ollama')],
    start: 'Open the Ollama app, or run: ollama serve',
  },
  {
    name: 'LM Studio',
    port: 1234,
    commands: ['lms'],
    places: [path.join(HOME, '.lmstudio/bin'), '/Applications/LM Studio.app'],
    start: 'Open LM Studio and switch its local server on, or run: lms server start',
  },
  {
    name: 'Jan',
    port: 1337,
    commands: ['jan'],
    places: ['/Applications/Jan.app', path.join(HOME, 'AppData/Local/Programs/jan')],
    start: 'Open Jan and start its local API server in the settings.',
  },
  {
    name: 'llama.cpp',
    port: 8080,
    commands: ['llama-server'],
    places: [],
    start: 'Run: llama-server -m <model.gguf>',
  },
]

function isThere(file: string): boolean {
  try {
    accessSync(file, constants.F_OK)
    return true
  } catch {
    return false
  }
}

const toFiles = (command: string, environment: Environment): string[] =>
  (environment['PATH'] ?? environment['Path'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, process.platform === 'win32' ? `${command}.exe` : command))

export interface UsualProgram {
  readonly name: string
  readonly start: string
  readonly isInstalled: boolean
}

/** The program that usually listens on a port, and whether it is installed here. */
export function findUsualProgram(port: number, environment: Environment): UsualProgram | null {
  const program = PROGRAMS.find((known) => known.port === port)
  if (!program) return null
  const files = [
    ...program.places,
    ...program.commands.flatMap((command) => toFiles(command, environment)),
  ]
  return { name: program.name, start: program.start, isInstalled: files.some(isThere) }
}
