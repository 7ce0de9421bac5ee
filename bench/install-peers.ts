// node bench/install-peers.ts [vllm-router|litellm|portkey …]: installs gateways of other projects
// below bench/.peers, for the benchmarks that compare with them. Needs Python with venv, and npm.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { PEERS_FOLDER } from './support/peers.ts'

const python = path.join(PEERS_FOLDER, 'python')
const node = path.join(PEERS_FOLDER, 'node')

function run(command: string, args: readonly string[], folder: string): void {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}`, { cause: error })
}

function installPython(...packages: string[]): void {
  run('python3', ['-m', 'venv', python], PEERS_FOLDER)
  run(path.join(python, 'bin', 'pip'), ['install', '--quiet', ...packages], PEERS_FOLDER)
}

function installNode(...packages: string[]): void {
  mkdirSync(node, { recursive: true })
  run('npm', ['install', '--prefix', node, '--no-audit', '--no-fund', ...packages], node)
}

const INSTALL: Readonly<Record<string, () => void>> = {
  'vllm-router': () => installPython('vllm-router==0.1.17'),
  litellm: () => installPython('litellm[proxy]'),
  portkey: () => installNode('@portkey-ai/gateway@1.15.2'),
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(INSTALL, name))
if (unknown.length > 0)
  throw new Error(
    `There is no peer ${unknown.join(', ')}; there are ${Object.keys(INSTALL).join(', ')}.`,
  )
mkdirSync(PEERS_FOLDER, { recursive: true })
for (const [name, install] of Object.entries(INSTALL))
  if (wanted.length === 0 || wanted.includes(name)) install()
