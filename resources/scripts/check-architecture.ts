// Checks the rules a stock linter cannot: the order of the server's modules, the borders between
// processes, and the single place each for environment, outgoing requests, SQL, HTML sinks and
// child processes.
import {
  importsOf,
  isTest,
  parse,
  PROCESSES,
  readSources,
  resolveImport,
  type Source,
  type SyntaxNode,
} from './import-graph.ts'

/**
 * Imports go only leftwards (house plan, direction rules). `storage` may know the tables of every
 * domain.
 */
export const SPINE = [
  'contract',
  'lib',
  'config',
  'storage',
  'live',
  'settings',
  'outgoing',
  'webhooks',
  'users',
  'groups',
  'access',
  'auth',
  'sharing',
  'scim',
  'requests',
  'events',
  'tasks',
  'chats',
  'artifacts',
  'prompts',
  'skills',
  'memories',
  'notes',
  'channels',
  'engine',
  'providers',
  'extensions',
  'audio',
  'retrieval',
  'files',
  'images',
  'knowledge',
  'plugins',
  'code',
  'models',
  'documents',
  'evaluations',
  'analytics',
  'runtime-proxy',
  'tools',
  'pipelines',
  'completions',
  'prompt-checks',
  'automations',
  'calendars',
  'socket-io',
  'rendering',
  'time-machine',
  'context',
  'monitoring',
  'http',
  'system',
  'app',
  'process',
  'command-line',
]
const OPEN_DOMAINS = new Set([
  'contract',
  'lib',
  'config',
  'storage',
  'extensions',
  'system',
  'http',
  'process',
])
const RENDERER_ORDER = ['locales', 'lib', 'api', 'ui', 'features', 'app']

export interface Violation {
  file: string
  rule: string
}

interface Rule {
  name: string
  pattern: RegExp
  applies(file: string): boolean
}

const inProduct = (file: string) => /^(server|main|preload|renderer)\//.test(file) && !isTest(file)

/** Operations allowed in one place only, detected by their text. */
const CHOKE_POINTS: Rule[] = [
  {
    name: 'process.env is read in server/config/env.ts only',
    pattern: /\bprocess\.env\b/,
    applies: (file) =>
      file.startsWith('server/') && !isTest(file) && file !== 'server/config/env.ts',
  },
  {
    name: 'requests leave through server/lib/outgoing/outgoing.ts and outgoing-fetch.ts (set by an administrator) and guarded-fetch.ts (all others) only, by the connections of connector.ts',
    pattern:
      /(?<![.\w])fetch\(|from 'undici'|import\('undici'\)|from 'node:https'|\bhttp\.request\(|\/http-client\.ts'/,
    applies: (file) =>
      file.startsWith('server/') &&
      !isTest(file) &&
      ![
        'server/lib/outgoing/outgoing.ts',
        'server/lib/outgoing/outgoing-fetch.ts',
        'server/lib/outgoing/guarded-fetch.ts',
        'server/lib/outgoing/connector.ts',
      ].includes(file),
  },
  {
    name: 'SQL stands in store.ts files and server/storage only',
    pattern: /\.(prepare|exec)\((`|'|")|\bsql`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    applies: (file) =>
      file.startsWith('server/') &&
      !isTest(file) &&
      !file.startsWith('server/storage/') &&
      !/(^|[/-])store\.ts$/.test(file),
  },
  {
    name: 'no HTML sinks',
    pattern:
      /\.(innerHTML|outerHTML)\s*=|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write\(/,
    // The frame of artifacts exists to write the page it is given. It has no origin of its own, and
    // reaches only the hosts that the owner of the chat allowed.
    applies: (file) =>
      /^(renderer|preload|main)\//.test(file) &&
      !isTest(file) &&
      file !== 'renderer/frames/artifact.ts',
  },
  {
    name: 'child processes are started in main/gateway/gateway.ts only, the next version of the app, the browser by the command line, workers that read documents, models, tool servers and plugins',
    pattern: /from 'node:child_process'|require\('child_process'\)/,
    applies: (file) =>
      inProduct(file) &&
      ![
        'main/gateway/gateway.ts',
        'main/updates/start-program.ts',
        'server/command-line/open-page.ts',
        'server/retrieval/extraction/start-worker.ts',
        'server/engine/start-engine.ts',
        'server/lib/login-path.ts',
        'server/plugins/worker/start-process.ts',
        'server/providers/programs/run-program.ts',
      ].includes(file),
  },
  {
    name: 'webSecurity is never switched off',
    pattern: /webSecurity:\s*false/,
    applies: inProduct,
  },
]

const partOf = (file: string, process: string): string =>
  file
    .slice(process.length + 1)
    .split('/')[0]!
    .replace(/\.tsx?$/, '')

/**
 * Returns a file's place in the order. The entry may import everything; `app.ts` and `context.ts`
 * have their own places.
 */
const serverPlace = (file: string): number =>
  file === 'server/index.ts' ? SPINE.length : SPINE.indexOf(partOf(file, 'server'))

function checkServerImport(file: string, target: string): string | null {
  if (partOf(file, 'server') === partOf(target, 'server')) return null
  const [from, to] = [serverPlace(file), serverPlace(target)]
  if (to === -1)
    return isTest(file) ? null : `imports ${target}, which has no place in the order of server/`
  if (!isTest(file) && to > from)
    return `imports ${target}, which stands further right in the order of server/`
  const domain = partOf(target, 'server')
  const isFace =
    target === `server/${domain}/index.ts` ||
    OPEN_DOMAINS.has(domain) ||
    domain === 'context' ||
    domain === 'app'
  return isFace || isTest(file) ? null : `reaches into ${target} past the domain's index.ts`
}

function checkRendererImport(file: string, target: string): string | null {
  const [from, to] = [
    RENDERER_ORDER.indexOf(partOf(file, 'renderer')),
    RENDERER_ORDER.indexOf(partOf(target, 'renderer')),
  ]
  if (from !== -1 && to > from && !isTest(file))
    return `imports ${target}, which stands further right in the order of renderer/`
  const feature = /^renderer\/features\/([^/]+)\//.exec(file)?.[1]
  const other = /^renderer\/features\/([^/]+)\//.exec(target)?.[1]
  return feature && other && feature !== other ? `imports another feature: ${target}` : null
}

/** Imports that each process may make from the others. */
const BORDERS: Record<string, (target: string) => boolean> = {
  server: () => false,
  main: (target) => target === 'preload/contract.ts',
  preload: () => false,
  renderer: (target) => target.startsWith('server/contract/') || target === 'preload/contract.ts',
}

function checkImport(file: string, target: string): string | null {
  const process = PROCESSES.find((name) => file.startsWith(`${name}/`))
  const other = PROCESSES.find((name) => target.startsWith(`${name}/`))
  if (!process || !other) return null
  if (process !== other)
    return BORDERS[process] && !BORDERS[process](target) && !isTest(file)
      ? `crosses a process border to ${target}`
      : null
  if (process === 'server') return checkServerImport(file, target)
  return process === 'renderer' ? checkRendererImport(file, target) : null
}

function checkPackages(file: string, specifiers: string[]): string[] {
  if (!inProduct(file)) return []
  return specifiers.flatMap((specifier) => {
    if (specifier === 'electron' && !/^(main|preload)\//.test(file))
      return ['imports electron outside main and preload']
    if (file.startsWith('preload/') && !/^(electron|zod)$|^[.#]/.test(specifier))
      return [`imports ${specifier}; preload may use electron and zod only`]
    return []
  })
}

/** Returns every rule violation in the given sources. */
export function findViolations(sources: readonly Source[]): Violation[] {
  return sources.flatMap((source) => {
    const { file, text } = source
    const specifiers = importsOf(parse(source).program as unknown as SyntaxNode).map(
      ({ specifier }) => specifier,
    )
    const targets = specifiers
      .map((specifier) => resolveImport(file, specifier))
      .filter((target) => target !== null)
    const broken = [
      ...targets.map((target) => checkImport(file, target)).filter((rule) => rule !== null),
      ...checkPackages(file, specifiers),
      ...CHOKE_POINTS.filter((rule) => rule.applies(file) && rule.pattern.test(text)).map(
        (rule) => rule.name,
      ),
    ]
    return broken.map((rule) => ({ file, rule }))
  })
}

if (import.meta.main) {
  const violations = findViolations(readSources())
  for (const { file, rule } of violations) console.error(`${file}: ${rule}`)
  process.exit(violations.length === 0 ? 0 : 1)
}
