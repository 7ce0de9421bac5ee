import { constants, copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { print, type Command } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'
import { toSize } from '../format.ts'

interface Backup {
  readonly path: string
  readonly bytes: number
}

export const backup: Command = {
  name: 'backup',
  usage: '[<file>]',
  summary:
    'Copies the database while the gateway runs, checks the copy, and stores it in a file of your choice.',
  async run(call) {
    const [wanted, ...rest] = call.words
    if (rest.length > 0) throw new CommandError(EXIT.usage, 'Usage: chat-gateway backup [<file>]')
    const target = wanted === undefined ? null : path.resolve(wanted)
    if (target !== null && existsSync(target))
      throw new CommandError(EXIT.failed, `${target} exists already. Choose another name.`)
    const made = await (await call.connect()).post<Backup>('/api/v1/backups')
    if (target !== null) copyFileSync(made.path, target, constants.COPYFILE_EXCL)
    const file = target ?? made.path
    print(call, { ...made, path: file }, `${file} (${toSize(made.bytes)})`)
  },
}
