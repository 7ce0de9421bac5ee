import { homedir } from 'node:os'
import path from 'node:path'
import type { LocalProgramId } from '#contract/programs.ts'
import type { Environment } from '../../config/env.ts'

/** Instructions for starting and stopping a program. */
export interface Launch {
  readonly arguments: readonly string[]
  /** Variables that restrict it to this computer and its port. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Arguments that stop the program, for a command that only asks a background program to serve.
   * Null if the command itself serves until it is stopped.
   */
  readonly stopArguments: readonly string[] | null
}

export interface KnownProgram {
  readonly id: LocalProgramId
  readonly name: string
  readonly port: number
  /** Names of its command. */
  readonly commands: readonly string[]
  /**
   * Folders in which its installer places the command; a graphical session has few of them in its
   * search path.
   */
  readonly folders: readonly string[]
  /** Paths that exist if it is installed, with or without a command. */
  readonly places: readonly string[]
  /** Instructions for the user to start its server. */
  readonly start: string
  /** Null if it requires input in its own window, or a model name. */
  readonly launch: Launch | null
}

const HOME = homedir()
const inHome = (folder: string): string => path.join(HOME, folder)
const OLLAMA_PORT = 11_434

/** Reads the port from the program's own variable, such as `127.0.0.1:11500`. */
function readOllamaPort(environment: Environment): number {
  const value = environment['OLLAMA_HOST']?.trim() ?? ''
  const port = Number(/^(?:https?:\/\/)?[^/]*:(\d+)\/?$/.exec(value)?.[1])
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : OLLAMA_PORT
}

function toOllama(port: number): KnownProgram {
  return {
    id: 'ollama',
    name: 'Ollama',
    port,
    commands: ['ollama'],
    folders: [
      '/usr/local/bin',
      '/opt/homebrew/bin',
      '/usr/bin',
      '/Applications/Ollama.app/Contents/Resources',
      inHome('AppData/Local/Programs/Ollama'),
    ],
    places: ['/Applications/Ollama.app', inHome('AppData/Local/Programs/Ollama')],
    start: 'Open the Ollama app, or run: ollama serve',
    launch: {
      arguments: ['serve'],
      environment: { OLLAMA_HOST: `127.0.0.1:${port}` },
      stopArguments: null,
    },
  }
}

const OTHERS: readonly KnownProgram[] = [
  {
    id: 'lm-studio',
    name: 'LM Studio',
    port: 1234,
    commands: ['lms'],
    folders: [inHome('.lmstudio/bin'), inHome('.cache/lm-studio/bin')],
    places: [inHome('.lmstudio/bin'), '/Applications/LM Studio.app'],
    start: 'Open LM Studio and switch its local server on, or run: lms server start',
    launch: {
      arguments: ['server', 'start', '--port', '1234'],
      environment: {},
      stopArguments: ['server', 'stop'],
    },
  },
  {
    id: 'jan',
    name: 'Jan',
    port: 1337,
    commands: ['jan'],
    folders: [],
    places: ['/Applications/Jan.app', inHome('AppData/Local/Programs/jan')],
    start: 'Open Jan and start its local API server in the settings.',
    launch: null,
  },
  {
    id: 'llama-cpp',
    name: 'llama.cpp',
    port: 8080,
    commands: ['llama-server'],
    folders: ['/usr/local/bin', '/opt/homebrew/bin'],
    places: [],
    start: 'Run: llama-server -m <model.gguf>',
    launch: null,
  },
]

/** Returns the programs that serve models, with the port of each. */
export const readKnownPrograms = (environment: Environment): readonly KnownProgram[] => [
  toOllama(readOllamaPort(environment)),
  ...OTHERS,
]
