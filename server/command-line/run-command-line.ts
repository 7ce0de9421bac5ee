import { homedir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataFolder, desktopDataFolder } from '../config/default-data-folder.ts'
import type { Environment } from '../config/env.ts'
import { readProgram } from '../config/program.ts'
import { CommandError, EXIT } from './command-error.ts'
import type { Command, CommandCall, Terminal } from './command.ts'
import { ask } from './commands/ask.ts'
import { backup } from './commands/backup.ts'
import { checkPrompts } from './commands/check-prompts.ts'
import { doctor } from './commands/doctor.ts'
import { key } from './commands/key.ts'
import { logs } from './commands/logs.ts'
import { models } from './commands/models.ts'
import { moveDataCommand } from './commands/move-data.ts'
import { share } from './commands/share.ts'
import { status } from './commands/status.ts'
import { open, url } from './commands/url.ts'
import { requireGateway } from './find-gateway.ts'
import { GatewayClient } from './gateway-client.ts'

const COMMANDS: readonly Command[] = [
  status,
  url,
  open,
  key,
  models,
  ask,
  checkPrompts,
  share,
  logs,
  backup,
  moveDataCommand,
  doctor,
]

const COMMON_OPTIONS = {
  json: { type: 'boolean' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

const HELP = `chat-gateway <command>

${COMMANDS.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`).join('\n')}

  --json             the result as JSON
  --data-dir <path>  the folder of the gateway, when it is not the usual one
  --help, --version

Signs in with the key in CHAT_GATEWAY_API_KEY, else as the first administrator through the data folder.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no gateway is running, 4 not permitted.
`

/**
 * Returns the candidate data folders: the one the user names, else those used by servers and by the
 * app.
 */
function findDataDirs(environment: Environment, chosen: string | undefined): string[] {
  const named = chosen ?? environment['DATA_DIR']?.trim()
  if (named) return [path.resolve(named)]
  const machine = { platform: process.platform, homeFolder: homedir() }
  return [defaultDataFolder(environment, machine), desktopDataFolder(environment, machine)]
}

function parseWords(command: Command, words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: { ...COMMON_OPTIONS, ...command.options },
      allowPositionals: true,
    })
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      `${error instanceof Error ? error.message : String(error)}\nUsage: chat-gateway ${command.name} ${command.usage}`,
    )
  }
}

/** Finds the first argument that is not an option, at any position. */
function findCommand(words: readonly string[]): { command: Command | undefined; rest: string[] } {
  const at = words.findIndex(
    (word, index) => !word.startsWith('-') && words[index - 1] !== '--data-dir',
  )
  return {
    command: COMMANDS.find(({ name }) => name === words[at]),
    rest: words.filter((_, index) => index !== at),
  }
}

async function runCommand(
  command: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { values, positionals } = parseWords(command, words)
  if (values['help']) {
    terminal.write(`chat-gateway ${command.name} ${command.usage}\n${command.summary}\n`)
    return EXIT.ok
  }
  const dataDirs = findDataDirs(terminal.environment, values['data-dir'])
  let client: Promise<GatewayClient> | undefined
  const call: CommandCall = {
    terminal,
    words: positionals,
    options: values,
    wantsJson: values['json'] === true,
    dataDirs,
    connect: () => (client ??= GatewayClient.connect(requireGateway(dataDirs), terminal)),
  }
  try {
    return (await command.run(call)) ?? EXIT.ok
  } finally {
    await client?.then(
      (connected) => connected.close(),
      () => undefined,
    )
  }
}

/** Without a command: prints the version or the help, which counts as success only if requested. */
function explain(words: readonly string[], terminal: Terminal): number {
  const asked = (...spellings: string[]): boolean => words.some((word) => spellings.includes(word))
  if (asked('--version', '-v')) terminal.write(`${readProgram().version}\n`)
  else if (asked('--help', '-h', 'help')) terminal.write(HELP)
  else {
    terminal.remark(HELP)
    return EXIT.usage
  }
  return EXIT.ok
}

/** Runs the given command line; resolves with the exit code. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { command, rest } = findCommand(words)
  if (!command) return explain(words, terminal)
  try {
    return await runCommand(command, rest, terminal)
  } catch (error) {
    if (terminal.signal.aborted) return EXIT.failed
    if (!(error instanceof CommandError)) throw error
    terminal.remark(`${error.message}\n`)
    return error.exitCode
  }
}
