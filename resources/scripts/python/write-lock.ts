// Pins the packages available to every plugin to the newest versions with wheels, one list for each
// platform. Needs uv in PATH.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BASE_PACKAGES } from '../../../server/settings/base-packages.ts'
import { capture } from '../run-step.ts'
import { lockFile } from './install-base.ts'
import { releaseFor, TARGETS, type Target } from './targets.ts'

/**
 * Returns Python versions: that of the package; on Linux also those of distributions, for tests.
 * The first one determines the versions of the packages.
 */
const versionsFor = ({ platform }: Target): [string, ...string[]] =>
  platform === 'linux' ? ['3.11.2', '3.12', '3.13'] : ['3.12']

interface Pin {
  readonly version: string
  readonly hashes: Set<string>
}

const scratch = mkdtempSync(path.join(tmpdir(), 'chat-gateway-lock-'))

/** Reads the names, versions and hashes from a uv lock file. */
function readPins(text: string): Map<string, Pin> {
  const read = text.split('[[packages]]').slice(1)
  return new Map(
    read.map((part) => {
      const field = (name: string): string =>
        new RegExp(`^${name} = "([^"]+)"`, 'm').exec(part)![1]!
      const hashes = new Set(
        [...part.matchAll(/sha256 = "([0-9a-f]{64})"/g)].map(([, hash]) => hash!),
      )
      return [field('name'), { version: field('version'), hashes }]
    }),
  )
}

async function resolve(
  target: Target,
  wanted: readonly string[],
  version: string,
): Promise<Map<string, Pin>> {
  const list = path.join(scratch, 'wanted.txt')
  const lock = path.join(scratch, 'pylock.toml')
  writeFileSync(list, `${wanted.join('\n')}\n`)
  rmSync(lock, { force: true })
  const words = [
    '--quiet',
    '--python-platform',
    releaseFor(target).resolverPlatform,
    '--python-version',
    version,
    '--only-binary',
    ':all:',
  ]
  const { code, output } = await capture('uv', [
    'pip',
    'compile',
    ...words,
    '--format',
    'pylock.toml',
    list,
    '--output-file',
    lock,
  ])
  if (code !== 0)
    throw new Error(
      `The packages for ${target.platform} ${target.arch} could not be pinned: ${output}`,
    )
  return readPins(readFileSync(lock, 'utf8'))
}

for (const target of TARGETS) {
  const [first, ...others] = versionsFor(target)
  const pins = await resolve(target, BASE_PACKAGES, first)
  const exact = [...pins].map(([name, { version }]) => `${name}==${version}`)
  for (const version of others) {
    for (const [name, { hashes }] of await resolve(target, exact, version))
      for (const hash of hashes) pins.get(name)?.hashes.add(hash)
  }
  const lines = [...pins].map(([name, { version, hashes }]) =>
    [`${name}==${version}`, ...[...hashes].map((hash) => `    --hash=sha256:${hash}`)].join(
      ' \\\n',
    ),
  )
  writeFileSync(lockFile(target), `${lines.join('\n')}\n`)
}
rmSync(scratch, { recursive: true })
