// npm run clients: installs the third-party programs that `e2e/clients` runs, in pinned versions,
// and drives each against the gateway.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { prepareClientPython } from './prepare.ts'
import { root, run, toolEnvironment } from './run-step.ts'

const folder = path.join(root, 'out/clients')

function requireDone(isDone: boolean, what: string): void {
  if (isDone) return
  console.error(`${what} could not be installed.`)
  process.exit(1)
}

/** Their binaries come in separate packages, so that no install script has to run. */
async function installAgents(): Promise<boolean> {
  const place = path.join(folder, 'agents')
  mkdirSync(place, { recursive: true })
  cpSync(path.join(root, 'e2e/clients/agents/package.json'), path.join(place, 'package.json'))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  return (await run('npm', ['install', ...options], { cwd: place })) === 0
}

mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder))
  if (/^(?:home|work)-/.test(name)) rmSync(path.join(folder, name), { recursive: true })
console.log('Installing coding agents (1.3 GB) and Python programs (about two minutes, once) …')
requireDone(await installAgents(), 'The coding agents')
for (const name of ['litellm', 'llm']) requireDone((await prepareClientPython(name)) !== null, name)
// Arguments that are parts of test file names, such as `agents`, select those files.
const env = toolEnvironment({ CLIENTS_FOLDER: folder })
process.exit(await run('vitest', ['run', '--project=clients', ...process.argv.slice(2)], { env }))
