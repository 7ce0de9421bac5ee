import path from 'node:path'
import type { DataSource, DataTarget } from '../../storage/moving/end.ts'
import type { MoveResult } from '../../storage/moving/move-data.ts'
import type { MovedFiles } from '../../storage/moving/move-files.ts'
import { print, type Command, type CommandCall } from '../command.ts'
import { CommandError, EXIT } from '../command-error.ts'

const USAGE =
  'chat-gateway move-data --to postgres://… [--files s3://<bucket>/<prefix>] [--data-dir <folder>], or --from postgres://… [--files s3://…] --to sqlite:<folder>'

const wrongUsage = (): CommandError => new CommandError(EXIT.usage, `Usage: ${USAGE}`)

/** Source and destination of the data; `null` is the data folder. */
interface Ends {
  readonly from: string | null
  readonly to: string
  /** The bucket uploads are moved to or from; null leaves them where they are. */
  readonly files: string | null
}

type Moved = MoveResult & { readonly uploads: MovedFiles | null }

const isPostgres = (address: string): boolean => /^postgres(ql)?:\/\//.test(address)
const toFolder = (address: string): string => path.resolve(address.slice('sqlite:'.length))

function readEnds({ options, words }: CommandCall): Ends {
  const { from = null, to, files = null } = options
  if (words.length > 0 || typeof to !== 'string') throw wrongUsage()
  if (typeof from === 'boolean' || typeof files === 'boolean') throw wrongUsage()
  if (files !== null && !/^s3:\/\/[^/]/.test(files)) throw wrongUsage()
  if (from === null && isPostgres(to)) return { from, to, files }
  if (from !== null && isPostgres(from) && /^sqlite:./.test(to)) return { from, to, files }
  throw wrongUsage()
}

const openSource = async ({ from }: Ends, { dataDirs }: CommandCall): Promise<DataSource> =>
  from === null
    ? new (await import('../../storage/moving/sqlite-end.ts')).SqliteSource(dataDirs[0]!)
    : (await import('../../storage/moving/postgres-end.ts')).PostgresSource.open(from)

/** Uploads are moved first: data that refer to missing files would be an incomplete move. */
async function moveUploads(
  ends: Ends,
  call: CommandCall,
  source: DataSource,
): Promise<MovedFiles | null> {
  if (ends.files === null) return null
  const { moveFilesBetween } = await import('../move-uploads.ts')
  const order =
    ends.from === null
      ? ({ dataDir: call.dataDirs[0]!, to: 'bucket' } as const)
      : ({ dataDir: toFolder(ends.to), to: 'folder' } as const)
  return moveFilesBetween({ source, address: ends.files, ...order }, call.terminal)
}

async function move(ends: Ends, call: CommandCall): Promise<Moved> {
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
      const uploads = await moveUploads(ends, call, source)
      const moved = await moveData({
        source,
        target,
        tables,
        signal: call.terminal.signal,
        tell: ({ table, rows }) => call.terminal.remark(`${table}: ${rows}\n`),
      })
      return { ...moved, uploads }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const KEY = 'WEBUI_SECRET_KEY, or what stands in secret.key of the data folder'

function describeNext({ from, files }: Ends): string {
  if (from !== null)
    return `Start the gateway with DATA_DIR on this folder and with the same WEBUI_SECRET_KEY.${files === null ? ' Copy the folder of uploads there if it is another one.' : ''}`
  const place =
    files === null
      ? 'Uploaded files stay in the data folder.'
      : 'Set STORAGE_PROVIDER=s3 with the same bucket and prefix.'
  return `Start the gateway with DATABASE_URL and with the key it had: ${KEY}. ${place}`
}

function describe(result: Moved, ends: Ends): string {
  const lines = [`${result.rows} rows of ${result.tables} tables were moved and compared.`]
  if (result.changedTexts > 0)
    lines.push(`In ${result.changedTexts} texts U+FFFD stands for the character 0.`)
  if (result.uploads !== null)
    lines.push(
      `${result.uploads.files} uploads (${result.uploads.bytes} bytes) were moved and compared.`,
    )
  return [...lines, describeNext(ends)].join('\n')
}

export const moveDataCommand: Command = {
  name: 'move-data',
  usage: '--to <address> [--from <address>] [--files s3://<bucket>/<prefix>]',
  summary:
    'Copies everything of a gateway that does not run from SQLite to PostgreSQL, or back, and compares it.',
  options: { to: { type: 'string' }, from: { type: 'string' }, files: { type: 'string' } },
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
