import type { PluginReport } from '#contract/plugins.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { PluginKey } from './host-request.ts'
import { forReply, type PluginContext } from './plugin-context.ts'
import { moduleOf, packageOf } from './sources/packages.ts'
import { readRequirements } from './python/requirements.ts'

type Import = PluginReport['imports'][number]

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

function readImport(value: unknown, brought: ReadonlySet<string>): Import[] {
  if (!isRecord(value) || typeof value['module'] !== 'string') return []
  const { module, names, line, lazy, guarded, found, missing } = value
  const isBrought = brought.has(module.split('.')[0]!.toLowerCase())
  const state = found === false ? (isBrought ? 'requirement' : 'no') : 'yes'
  return [
    {
      module,
      names: texts(names),
      line: Number(line) || 0,
      lazy: lazy === true,
      guarded: guarded === true,
      found: state,
      missing: texts(missing),
    },
  ]
}

/**
 * Returns the missing parts of the host application for which the plugin was written; a `try` in
 * the source handles this.
 */
const readMissing = (value: unknown): string[] =>
  isRecord(value) && value['guarded'] !== true ? texts(value['missing']) : []

function readProblem(
  found: Readonly<Record<string, unknown>>,
  store: PluginKey['store'],
): string | null {
  const error = found['syntax_error']
  if (isRecord(error)) {
    const place = typeof error['line'] === 'number' ? ` (line ${error['line']})` : ''
    return `The source is no Python: ${String(error['message'])}${place}.`
  }
  if (typeof found['kind'] === 'string') return null
  return store === 'tool'
    ? 'The source has no class Tools.'
    : 'The source has no class Pipe, Filter, Action or Event.'
}

/** Compares versions such as `0.6.10` part by part. */
function isNewer(wanted: string, own: string): boolean {
  const parts = (version: string): number[] =>
    version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0)
  const [one, other] = [parts(wanted), parts(own)]
  const place = [0, 1, 2].find((index) => (one[index] ?? 0) !== (other[index] ?? 0))
  return place !== undefined && (one[place] ?? 0) > (other[place] ?? 0)
}

interface Findings {
  readonly imports: readonly Import[]
  readonly parts: readonly string[]
  readonly manifest: Readonly<Record<string, unknown>>
}

/**
 * Lists modules, and the packages to install for them; files beside the plugin belong to no
 * package.
 */
function listModules(modules: readonly string[]): string {
  const packages = new Set(modules.filter((module) => !module.startsWith('.')).map(packageOf))
  const advice =
    packages.size === 0
      ? ''
      : ` Have these packages installed with it: ${[...packages].join(', ')}.`
  return `${[...new Set(modules)].join(', ')}.${advice}`
}

function collectWarnings({ imports, parts, manifest }: Findings, apiVersion: string): string[] {
  const missing = imports
    .filter(({ found, guarded, lazy }) => found === 'no' && !guarded && !lazy)
    .map(({ module }) => module)
  const later = imports
    .filter(({ found, lazy }) => found === 'no' && lazy)
    .map(({ module }) => module)
  const wanted = manifest['required_open_webui_version']
  return [
    ...(missing.length > 0
      ? [
          `It needs modules that are not there, so it will probably not load: ${listModules(missing)}`,
        ]
      : []),
    ...(later.length > 0
      ? [`Parts of it need modules that are not there: ${listModules(later)}`]
      : []),
    ...(parts.length > 0
      ? [`It loads, but what needs these names will fail: ${[...new Set(parts)].join(', ')}.`]
      : []),
    ...(typeof wanted === 'string' && isNewer(wanted, apiVersion)
      ? [
          `It was written for version ${wanted}; this gateway answers as ${apiVersion}. Try it before others use it.`,
        ]
      : []),
  ]
}

/** Returns a report on importing a source. */
export async function reportOn(
  { loader, apiVersion }: Pick<PluginContext, 'loader'> & { readonly apiVersion: string },
  { userId: authorId }: Caller,
  { store, content }: { store: PluginKey['store']; content: string },
): Promise<PluginReport> {
  const found = await forReply(loader.sources.inspect({ store, id: '', content, authorId }))
  const { requirements, refused } = readRequirements(texts(found['requirements']))
  const brought = new Set(requirements.map(moduleOf))
  const listed: unknown[] = Array.isArray(found['imports']) ? found['imports'] : []
  const imports = listed.flatMap((each) => readImport(each, brought))
  const manifest = isRecord(found['front_matter']) ? found['front_matter'] : {}
  const kinds = ['tool', 'pipe', 'filter', 'action', 'event'] as const
  return {
    kind: kinds.find((kind) => kind === found['kind']) ?? null,
    manifest,
    requirements,
    refused,
    imports,
    warnings: collectWarnings(
      { imports, parts: listed.flatMap(readMissing), manifest },
      apiVersion,
    ),
    problem: readProblem(found, store),
  }
}
