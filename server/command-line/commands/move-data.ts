import path from 'node:path'
import type { DataSource, DataTarget } from '../../storage/moving/end.ts'
import type { MoveResult } from '../../storage/moving/move-data.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'

const USAGE =
  'chat-gateway move-data --to postgres://… [--data-dir <folder>], or --from postgres://… --to sqlite:<folder>'

const wrongUsage = (): CommandError => new CommandError(EXIT.usage, `Usage: ${USAGE}`)

/** Where data go to and come from; `null` is the data folder. */
interface Ends {
  readonly from: string | null
  readonly to: string
}

const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)
const toFolder = (address: string): string => path.resolve(address.slice('sqlite:'.length))

function readEnds({ options, words }: CommandCall): Ends {
  const { from = null, to } = options
  if (words.length > 0 || typeof to !== 'string' || typeof from === 'boolean') throw wrongUsage()
  if (from === null && isPostgres(to)) return { from, to }
  if (from !== null && isPostgres(from) && /^sqlite:./.test(to)) return { from, to }
  throw wrongUsage()
}

const openSource = async ({ from }: Ends, { dataDirs }: CommandCall): Promise<DataSource> =>
  from === null
    ? new (await import('../../storage/moving/sqlite-end.ts')).SqliteSource(dataDirs[0]!)
    : (await import('../../storage/moving/postgres-end.ts')).PostgresSource.open(from)

async function move(ends: Ends, call: CommandCall): Promise<MoveResult> {
  const [{ moveData }, { listMovedTables }] = await Promise.all([
    import('../../storage/moving/move-data.ts'),
    import('../../storage/moving/tables.ts'),
  ])
  const tables = listMovedTables()
  const openTarget = async (): Promise<DataTarget> =>
    isPostgres(ends.to)
      ? (await import('../../storage/moving/postgres-end.ts')).PostgresTarget.open(ends.to, tables)
      : new (await import('../../storage/moving/sqlite-end.ts')).SqliteTarget(toFolder(ends.to))
  const source = await openSource(ends, call)
  try {
    const target = await openTarget()
    try {
      return await moveData({
        source,
        target,
        tables,
        signal: call.terminal.signal,
        tell: ({ table, rows }) => call.terminal.remark(`${table}: ${rows}\n`),
      })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function describe(result: MoveResult, ends: Ends): string {
  const lines = [`${result.rows} rows of ${result.tables} tables were moved and compared.`]
  if (result.changedTexts > 0)
    lines.push(`In ${result.changedTexts} texts U+FFFD stands for the character 0.`)
  lines.push(
    ends.from === null
      ? 'Start the gateway with DATABASE_URL and with the key it had: WEBUI_SECRET_KEY, or what stands in secret.key of the data folder. Uploaded files stay in the data folder.'
      : 'Start the gateway with DATA_DIR on this folder and with the same WEBUI_SECRET_KEY. Copy the folder of uploads there if it is another one.',
  )
  return lines.join('\n')
}

export const moveDataCommand: Command = {
  name: 'move-data',
  usage: '--to <address> [--from <address>]',
  summary:
    'Copies everything of a gateway that does not run from SQLite to PostgreSQL, or back, and compares it.',
  options: { to: { type: 'string' }, from: { type: 'string' } },
  async run(call) {
    const ends = readEnds(call)
    try {
      const result = await move(ends, call)
      print(call, result, describe(result, ends))
    } catch (error) {
      if (call.terminal.signal.aborted)
        throw new CommandError(
          EXIT.failed,
          'Stopped. Nothing was kept; start it again for all of it.',
        )
      const { StartError } = await import('../../config/start-error.ts')
      if (error instanceof StartError) throw new CommandError(EXIT.failed, error.message)
      throw error
    }
  },
}
